// What travels between page and server, and what screens share. Checked by tsc, never loaded.
// Pieces are texts: side, "+" if heroic, letter. Sides are 0 (Red, White) and 1 (Blue, Black).

export type Square = string;
export type Piece = string;
export type Pieces = Record<Square, Piece[]>;

export interface Move {
    text: string;
    from: Square;
    to: Square;
    group?: string;
    kind?: string;
    deploy?: boolean;
    promotion?: string;
}

export interface Deployment {
    origin: Square;
    stack: Piece[];
    remaining: Piece[];
    steps: string[];
    commit?: string;
}

export interface View {
    variant: string;
    fen: string;
    turn: number;
    pieces: Pieces;
    moves: Move[];
    points?: number[];
    taken?: Piece[][];
    rings?: Square[][];
    guns?: [Square, number][][];
    ply?: number;
    number?: number;
    check?: Square;
    last?: [Square, Square, string][];
    turns?: string[];
    stops?: number[];
    deployment?: Deployment;
    outcome?: { winner: number | null; reason: string };
    problems?: string[];
    played?: string;
}

/** What may change in a game at any time. */
export interface Standing {
    you: number[];
    seats: string[];
    names?: string[];
    spectators?: number;
    can_draw?: boolean;
    /** Seconds from the first move to the end. */
    took?: number;
    clock?: { left: number[]; running?: number | null };
    result?: { winner: number | null; reason: string };
    draw_offer?: number;
    takeback_offer?: number;
    rematch_offer?: number;
    next?: string;
    thinking?: boolean;
    here?: boolean[];
}

export interface GameState extends Standing {
    t: "game";
    id: string;
    mode: string;
    view: View;
    fen0: string;
    moves: string[];
    public?: boolean;
    chess960?: boolean;
    objective?: string;
    clock_setup?: { base: number; increment: number };
}

/** What is new after the first `ply` moves and the first `turn` turns. */
export interface Change extends Standing {
    t: "change";
    ply: number;
    moves?: string[];
    view?: View;
    turn?: number;
}

export interface Kind {
    letter: string;
    name: string;
    vietnamese: string;
    points: number;
    move: number[];
    take: number[];
    take_ships: number[];
    ring: number;
    hero: {
        move: number[];
        take: number[];
        take_ships: number[];
        ring: number;
        ignores_rings: boolean;
    };
    move_blocked: string;
    take_blocked: string;
    stands: string;
    heavy: boolean;
    aircraft: boolean;
    ship: boolean;
}

export interface Variant {
    name: string;
    title: string;
    files: number;
    ranks: number;
    sides: string[];
    start: string;
    kinds: Kind[];
    terrain: Record<Square, string>;
    bridges?: Square[];
    cargo?: Record<string, string[]>;
    ratings: (number | null)[];
}

export interface Meta {
    variants: Variant[];
    levels: { level: number; skill: number }[];
    seats: Record<string, [number, number, number][]>;
    ring_margin: number;
    pieces: string[];
    presets?: string[];
    codes?: string[];
}

export interface EngineLine {
    score: number;
    mate: number | null;
    moves: string[];
    sans: string[];
    arrow: Square[];
}

export interface Lines {
    t: "lines";
    id: number;
    depth: number;
    nodes: number;
    nps: number;
    lines: EngineLine[];
    done?: boolean;
}

export interface Better {
    code: string;
    pieces: string;
    from: Square;
    to: Square;
    taken?: string;
    deploy?: boolean;
    mate?: boolean;
}

export interface Judged {
    t: "judged";
    id: number;
    turn: number;
    of: number;
    ply?: number;
    score: number;
    mate?: number | null;
    mark?: string;
    best?: string;
    best_moves?: string[];
    better?: Better[];
    san?: string;
    loss?: number;
    accuracy?: number;
}

export interface TreeNode {
    parent: TreeNode | null;
    children: TreeNode[];
    move?: string;
    san?: string;
    label?: string;
    comment: string;
    nags: number[];
    arrows?: [Square, Square, string][];
    circles?: [Square, string][];
    lines?: KeptLine[];
    eval?: { score?: number; mate?: number | null; depth?: number };
    clock?: number;
}

/** A line of the engine that is kept with a position. */
export interface KeptLine {
    score?: number;
    mate?: number | null;
    depth?: number;
    moves: string[];
}

export interface TreeData {
    variant: string;
    fen?: string | null;
    tags?: Record<string, string>;
    comment?: string;
    nodes: ({ parent: number; move: string } & Partial<Omit<TreeNode, "parent" | "children">>)[];
    lines?: KeptLine[];
    arrows?: [Square, Square, string][];
    circles?: [Square, string][];
    result?: string;
}

export interface Arrow {
    from: Square;
    to: Square;
    cls?: string;
}

export interface Screen {
    key?(event: KeyboardEvent): boolean;
    destroy?(): void;
    /** Whether the page's own header gives way to the screen's on phones. */
    playing?: boolean;
}

export interface Route {
    go(address: string, options?: { replace?: boolean }): Promise<void>;
    query: URLSearchParams;
    id?: string;
}

export type Kid = Node | string | null | undefined | false | Kid[];
