"""Every law of laws.py over every game, on boards of random play."""

import laws
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__.removeprefix("law_"))
@pytest.mark.parametrize("game", laws.GAMES, ids=lambda game: game.name)
@settings(max_examples=25, deadline=None, print_blob=True)
@given(data=st.data())
def test_law(game, law, data):
    start = data.draw(st.sampled_from(game.starts), "start")
    seed = data.draw(st.integers(0, 2**32 - 1), "seed")
    plies = data.draw(st.integers(0, 120), "plies")
    law(game, laws.played(game, start, seed, plies))
