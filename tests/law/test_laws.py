"""Every law of laws.py on random set-ups of the three rule sets, reachable or not."""

from __future__ import annotations

import random

import laws
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import random_fen


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__.removeprefix("law_"))
@pytest.mark.parametrize("game", laws.CO_TU_LENH, ids=lambda game: game.name)
@settings(max_examples=20, deadline=None, print_blob=True)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 5))
def test_law_on_set_ups(game, law, seed: int, plies: int) -> None:
    """A few moves on, so that positions in mid-deployment are among them."""
    fen = random_fen(random.Random(seed), game.name)
    law(game, laws.played(game, fen, seed, plies))


@pytest.mark.long
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__.removeprefix("law_"))
@pytest.mark.parametrize("game", laws.CO_TU_LENH, ids=lambda game: game.name)
@settings(max_examples=1000, deadline=None, print_blob=True)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 5))
def test_law_on_many_set_ups(game, law, seed: int, plies: int) -> None:
    fen = random_fen(random.Random(seed), game.name)
    law(game, laws.played(game, fen, seed, plies))
