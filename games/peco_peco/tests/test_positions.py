"""Five positions whose legal moves were worked out by hand from the rules."""

from __future__ import annotations

from games.peco_peco import rules
from games.peco_peco.rules.moves import Accuse, Declare, Play, Waive
from games.peco_peco.rules.options import Options
from games.peco_peco.tests.tables import after, table

A, B, C, D = range(4)


def test_two_elephants_and_a_bomb_on_a_cat() -> None:
    """Elephants and a bomb beat the cat, a plain mouse and a cat do not (Q11, Q12)."""
    state = table("hands A[E,Er,Mb,M,C] B[C]; top C; draw empty; turn A; clockwise; rule none")
    assert rules.legal_moves(state, A) == [Play("E"), Play("Er"), Play("Mb"), Declare()]
    assert rules.legal_moves(state, B) == []


def test_a_steal_names_every_opponent_with_cards() -> None:
    """Equal cards are one move; neither the own seat nor one without cards is robbed (Q30)."""
    state = table("hands A[Es,Es] B[C] C[] D[M]; top C; draw empty; turn A; clockwise; rule none")
    assert rules.legal_moves(state, A) == [Play("Es", B), Play("Es", D), Declare()]


def test_in_a_team_the_partner_is_neither_robbed_nor_accused() -> None:
    """Q41 with `team_accuse_partner` off: partners sit opposite."""
    options = Options(teams="on", team_accuse_partner=False)
    text = "hands A[E] B[Es] C[M] D[C]; top C; draw empty; turn A; clockwise; rule slap"
    state = after(table(text, options=options), (A, Declare()))
    assert rules.to_act(state) == (B, D)
    for seat in (B, D):
        assert rules.legal_moves(state, seat) == [Accuse(), Waive()]
    for seat in (A, C):
        assert rules.legal_moves(state, seat) == []
    acting = after(state, (D, Waive()), (B, Waive()))
    assert rules.legal_moves(acting, B) == [Play("Es", A), Play("Es", C), Declare()]
    assert rules.legal_moves(acting, C) == rules.legal_moves(acting, D) == []


def test_the_next_player_accuses_before_playing() -> None:
    """Q10, Q17: B may accuse A and has a mouse for the elephant; nobody else may do anything."""
    text = "hands A[M,E] B[M,C] C[M]; top E; draw empty; turn A; clockwise; rule severe"
    state = after(table(text), (A, Declare()))
    assert rules.legal_moves(state, B) == [Play("M"), Declare(), Accuse()]
    assert rules.legal_moves(state, A) == rules.legal_moves(state, C) == []


def test_under_the_inverse_stake_with_calls() -> None:
    """Q32 turns the pairs round: on an elephant a cat is played; Q43 offers each with the call."""
    options = Options(peco_call="on")
    text = "hands A[C,M] B[M] C[E]; top E; draw empty; turn A; clockwise; rule inverse"
    assert rules.legal_moves(table(text, options=options), A) == [
        Play("C"),
        Play("C", call=True),
        Declare(),
    ]
