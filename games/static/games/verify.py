"""Check that nobody chose the dice or cards of a finished game.

    python verify.py record.json

record.json is the record that the site offers for every finished game. Python 3.8 or newer is all
you need. Exit code: 0 if every draw follows from the site's secret and the players' salts, 1 if one
does not, 2 if there is nothing to check.

Everything that is hashed is ASCII text. Its first line is "draws/PURPOSE/1", the next lines are the
items below. Hashes, secrets and salts are 64 hexadecimal digits; a missing item is "-".

    commitment  SHA-256 of "commit", code, secret          published before players add to it
    part        SHA-256 of "part", code, salt              sent by the browser of a player
    rules       SHA-256 of "rules", game, options          as JSON: names sorted, without spaces
    root        SHA-256 of "root", code, rules, commitment, previous winners, part of each seat
    key         SHA-256 of "key", root, salt of each seat  the root is public before the salts are
    draw        HMAC-SHA-256 with the secret of "draw", key, round, purpose, seat, number, block

Every draw has an address: round, purpose, seat and number. Its random bytes are the hashes of the
blocks 0, 1, 2 and so on. A number below n is the next byte modulo n, without the bytes at the upper
end that would make small numbers more likely. A die is a number below 6, plus 1. A shuffle goes
from the last place to the second and swaps each with a random place from the first to itself.

The moves of the players are public and are not checked here.
"""

import hmac
import json
import re
import sys
from hashlib import sha256
from itertools import zip_longest

# --- hashes and draws -----------------------------------------------------------------------------


def text_of(purpose, lines):
    lines = ["-" if line is None else str(line) for line in lines]
    return "\n".join([f"draws/{purpose}/1", *lines]).encode("ascii")


def hash_of(purpose, *lines):
    return sha256(text_of(purpose, lines)).hexdigest()


def root_of(game, options, proof):
    rules = hash_of("rules", game, json.dumps(options, sort_keys=True, separators=(",", ":")))
    won = ",".join(str(seat) for seat in proof["won_before"]) or None
    return hash_of("root", proof["code"], rules, proof["commitment"], won, *proof["parts"])


class Draws:
    """The draw at each address, and the number of draws made."""

    def __init__(self, proof):
        self.secret, self.count = bytes.fromhex(proof["secret"]), 0
        self.key = hash_of("key", proof["root"], *proof["salts"])

    def bytes_at(self, address):
        block = 0
        while True:
            text = text_of("draw", [self.key, *address, block])
            yield from hmac.new(self.secret, text, "sha256").digest()
            block += 1

    def numbers(self, bounds, *address):
        """One number below each of these bounds."""
        self.count += 1
        stream, found = self.bytes_at(address), []
        for bound in bounds:
            if not 1 <= bound <= 256:
                raise ValueError(f"nothing is drawn from {bound}")
            fair = 256 - 256 % bound
            found.append(next(byte for byte in stream if byte < fair) % bound)
        return found

    def dice(self, count, *address):
        return [number + 1 for number in self.numbers([6] * count, *address)]

    def one_of(self, items, *address):
        return items[self.numbers([len(items)], *address)[0]]

    def shuffled(self, items, *address):
        order, place = list(items), len(items) - 1
        for other in self.numbers(range(len(items), 1, -1), *address):
            order[place], order[other] = order[other], order[place]
            place -= 1
        return order


# --- a game, fact by fact -------------------------------------------------------------------------

MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)


class Game:
    """Compare each fact of a record with the draws; then continue with what was recorded."""

    def __init__(self, record):
        self.names, self.options, self.proof = record["players"], record["options"], record["proof"]
        self.draws, self.seats = Draws(self.proof), range(len(record["players"]))
        self.openers = list(self.seats)  # the seats that may still open the first round
        self.round, self.last = 0, ""  # `last` is the kind of the previous fact
        self.hands, self.due, self.problems = {}, {}, []  # `due` are the hands to be given next

    def check(self, facts):
        for number, fact in enumerate([*facts, {"kind": "the end"}], 1):
            try:
                self.follow(fact["kind"], fact)
            except MALFORMED as trouble:
                self.problems.append(
                    f"{self.where()}: fact {number} is invalid: {fact} ({trouble})"
                )
                break  # the rest cannot be checked
            self.last = fact["kind"]
        return self.problems

    def seat(self, seat):
        return f"seat {seat} ({self.names[seat]})"

    def where(self, seat=None):
        time = f"Round {self.round}" if self.round else "Before round 1"
        return time if seat is None else f"{time}, {self.seat(seat)}"

    def compare(self, seat, thing, recorded, expected):
        """Report different dice or cards, at most five of a pile."""
        pairs = enumerate(zip_longest(recorded, expected, fillvalue="nothing"), 1)
        wrong = [(thing.format(number), *pair) for number, pair in pairs if pair[0] != pair[1]]
        for what, was, due in wrong[:5]:
            self.problems.append(f"{self.where(seat)}, {what}: recorded {was}, expected {due}")

    def give(self, seat, thing, recorded):
        """Compare a hand in any order: put each expected die or card beside an equal one."""
        left = self.due.pop(seat, [])
        beside = [left.pop(left.index(each)) if each in left else None for each in recorded]
        beside = [each or (left.pop(0) if left else "nothing") for each in beside]
        self.compare(seat, thing, recorded, beside + left)
        self.hands[seat] = self.hands[seat] + recorded

    def all_given(self, thing):
        for seat in self.due:
            self.compare(seat, thing, [], self.due[seat])
        self.due = {}

    def begin_round(self, number, opener):
        """Only the opener of the first round is drawn; the others follow from the game."""
        self.round, self.hands = self.round + 1, {seat: [] for seat in self.seats}
        self.compare(None, "round number", [number], [self.round])
        if self.round == 1:
            expected = " or ".join(self.seat(seat) for seat in self.openers)
            self.compare(None, "opener", [self.seat(opener)], [expected])


class Perudo(Game):
    """Draws: the opener of the first round, and every hand."""

    def __init__(self, record):
        super().__init__(record)
        self.dice, self.rolls = dict.fromkeys(self.seats, 5), 0
        if self.options["starter"] == "random":
            self.openers = [self.draws.one_of(self.seats, 0, "opener", "-", 0)]

    def roll_for_opener(self, recorded):
        """The highest roll opens; seats that share it roll again."""
        count, number, rolls = 1 if self.options["starter"] == "one_die" else 2, self.rolls, {}
        for seat in self.openers:
            rolls[seat] = self.draws.dice(count, 0, "starter", seat, number)
        for seat in self.seats:
            thing = f"roll {number + 1}, die {{}}"
            self.compare(seat, thing, recorded.get(seat, []), rolls.get(seat, []))
        highest = max(sum(dice) for dice in rolls.values())
        self.openers = [seat for seat in rolls if sum(rolls[seat]) == highest]
        self.rolls += 1

    def follow(self, kind, fact):
        if kind == "rolled":
            return self.give(fact["only"], "die {}", fact["dice"])
        self.all_given("die {}")
        if kind == "starter_rolled":
            self.roll_for_opener(dict(fact["rolls"]))
        elif kind == "round_started":
            self.begin_round(fact["number"], fact["opener"])
            for seat in self.seats:
                if self.dice[seat]:
                    self.due[seat] = self.draws.dice(self.dice[seat], self.round, "hand", seat, 0)
        elif kind == "revealed":
            for seat in self.seats:
                self.compare(seat, "revealed die {}", fact["hands"][seat], self.hands[seat])
        elif kind in ("die_lost", "die_regained", "eliminated"):
            lost = {"die_lost": 1, "die_regained": -1, "eliminated": self.dice[fact["seat"]]}
            self.dice[fact["seat"]] -= lost[kind]


DECK = [animal + icon for animal in "ECM" for icon in [""] * 14 + [*"rrrdddssbb"]]
# The stakes: the cards that each deals, and the extra cards of its winner in the next deal.
EXTRA = [0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, -1, 1, 0, 0, 1, -1, -1]
STAKES = {f"F{n + 1:02}": ([4, 5, 4, 3, 5, 4][n % 6], EXTRA[n]) for n in range(18)}
# Facts that come right after these, and only there.
THEN = {"game_started": "food_shuffled", "round_started": "food_shuffled"}
THEN = {**THEN, "hand_received": "card_turned", "discard_reshuffled": "pile_shuffled"}
THEN = {**THEN, "card_taken": "card_passed", "card_stolen": "cards_buried"}
THEN = {**THEN, "call_forgotten": "cards_buried", "hand_discarded": "cards_buried"}


class PecoPeco(Game):
    """Draws: the order of the stakes, the opener, every shuffle, every card taken from a hand."""

    def __init__(self, record):
        super().__init__(record)
        short = {"on": True, "off": False, "auto": len(self.seats) >= 7}[self.options["short_pile"]]
        food = [stake for stake in STAKES if not (short and STAKES[stake][0] == 5)]
        self.food = self.draws.shuffled(food, 0, "stakes", "-", 0)
        if self.options["first_feast_on_top"]:
            self.food.sort(key=lambda stake: stake != "F01")  # the others keep their order
        won, purpose = self.proof["won_before"], "rematch" if self.proof["won_before"] else "opener"
        self.openers = [self.draws.one_of(won or self.seats, 0, purpose, "-", 0)]
        self.stake, self.extra, self.active = "", dict.fromkeys(self.seats, 0), list(self.seats)
        # The draw pile, the discard's top, the cards under it, and the number of draws so far.
        self.pile, self.top, self.under, self.drawn = [], [], [], 0

    def lose_one(self, seat, recorded):
        """A card is drawn from the hand, sorted by name."""
        address = (self.round, "card", seat, self.drawn)
        expected = self.draws.one_of(sorted(self.hands[seat]), *address)
        self.compare(seat, "taken card", [recorded], [expected])
        self.hands[seat].remove(recorded)
        self.drawn += 1

    def follow(self, kind, fact):
        seat, cards = fact.get("seat", fact.get("accused")), fact.get("cards", fact.get("hand"))
        if kind == "hand_received":
            return self.give(seat, "card {}", cards)
        self.all_given("card {}")
        then = None if self.last == "hand_received" and self.top else THEN.get(self.last)
        first_pile = kind == "pile_shuffled" and not self.top
        if then != kind and (then or (kind in THEN.values() and not first_pile)):
            raise ValueError(f"it comes after {self.last}")
        if kind == "food_shuffled":
            self.compare(None, "stake {} of the pile", fact["stakes"], self.food)
        elif kind == "round_started":
            self.begin_round(fact["number"], fact["starter"])
            self.compare(None, "stake", [fact["stake"]], self.food[:1])
            self.stake, self.food = self.food[0], self.food[1:]
            self.pile, self.top, self.under, self.drawn = [], [], DECK, 0
        elif kind == "discard_reshuffled" and self.pile:
            raise ValueError("the draw pile is not empty")
        elif kind == "pile_shuffled":
            purpose = "discard" if self.top else "deck"
            self.pile = self.draws.shuffled(self.under, self.round, purpose, "-", self.drawn)
            self.compare(None, "card {} of the pile", cards, self.pile)
            self.under, self.drawn = [], self.drawn + len(self.top)
        elif kind in ("hands_dealt", "cards_drawn"):
            for each in self.active if kind == "hands_dealt" else [seat]:
                count = fact.get("count", max(1, STAKES[self.stake][0] + self.extra[each]))
                self.due[each], self.pile = self.pile[:count], self.pile[count:]
        elif kind == "card_turned":
            self.compare(None, "card turned up", [fact["card"]], self.pile[:1])
            self.top, self.pile = [fact["card"]], self.pile[1:]
        elif kind == "card_played":
            self.hands[seat].remove(fact["card"])
            self.top, self.under = [fact["card"]], self.under + self.top
        elif kind == "card_passed":
            self.lose_one(fact["giver"], fact["card"])
            self.hands[fact["taker"]].append(fact["card"])
        elif kind in ("cards_buried", "honesty_shown"):
            if self.last == "card_stolen":
                self.lose_one(seat, *cards)
            else:
                self.compare(seat, "card {} put down", cards, sorted(self.hands[seat]))
                self.hands[seat] = []
            self.under = self.under + cards
        elif kind == "round_ended":
            self.extra = {**dict.fromkeys(self.seats, 0), fact["winner"]: STAKES[self.stake][1]}
        elif kind == "removed":
            self.active.remove(seat)


# --- the whole ------------------------------------------------------------------------------------

GAMES = {"perudo": Perudo, "peco_peco": PecoPeco}


def broken_seals(record, proof):
    """Yield what contradicts the published hashes."""
    code, secret, salts, parts = (proof[name] for name in ("code", "secret", "salts", "parts"))
    for text in (secret, proof["commitment"], proof["root"], *salts, *parts):
        if text is not None and not re.fullmatch("[0-9a-f]{64}", text):
            yield f"{text} is not 64 hexadecimal digits"
    if hash_of("commit", code, secret) != proof["commitment"]:
        yield "The secret does not match the commitment"
    for seat, salt in enumerate(salts):
        if salt is not None and hash_of("part", code, salt) != parts[seat]:
            yield f"The salt of seat {seat} ({record['players'][seat]}) does not match its part"
    if root_of(record["game"], record["options"], proof) != proof["root"]:
        yield "The root does not match the code, game, options, commitment, winners and parts"
    start = record["facts"][0]
    if (start["seats"], start["options"]) != (len(salts), record["options"]):
        yield "The game began with other seats or options than the record names"


def verdict(record):
    """Return the exit code and the lines to print."""
    proof, facts = record.get("proof"), record["facts"]
    if proof is None or any(fact["kind"] == "started_midway" for fact in facts):
        return 2, ["This record has no proof: the game is old or began in the middle of another."]
    if record["game"] not in GAMES or proof["version"] != 1:
        return 2, ["This program does not know this game or this version of the proof."]
    if not len(record["players"]) == len(proof["parts"]) == len(proof["salts"]) <= 8:
        raise ValueError("each seat needs one part and one salt")
    problems = list(broken_seals(record, proof))
    if not problems:
        game = GAMES[record["game"]](record)
        problems = game.check(facts)
    if problems:
        more = [f"and {len(problems) - 20} more"] if len(problems) > 20 else []
        return 1, ["WRONG. This game does not match its secret:", *problems[:20], *more]
    lines = [f"PROVED. All {game.draws.count} draws in {game.round} rounds match the site's secret"]
    lines.append("and what players added to it.")
    for seat, (part, salt) in enumerate(zip_longest(proof["parts"], proof["salts"])):
        late = "left out: according to the site, a salt did not arrive"
        added = late if part or seat in proof["late"] else "no part of its own"
        added = "a part of its own" if salt else added
        lines.append(f"  {game.seat(seat)}: {added}")
    if any(proof["salts"]):
        lines.append("Nobody chose a draw, unless all who added a part worked with the site.")
    else:
        lines.append("No draw was changed after the secret was sealed. Without players' salts,")
        lines.append("this does not prove that the site did not choose the secret for its draws.")
    if proof["late"] or proof["salts"].count(None) > proof["parts"].count(None):
        lines.append("By leaving out a seat, the site could choose between two results.")
    lines.append("Compare with what the table showed before the game:")
    return 0, [*lines, f"  commitment {proof['commitment']}", f"  root       {proof['root']}"]


def main(arguments):
    try:
        [name] = arguments
        with open(name, encoding="utf-8") as file:
            code, lines = verdict(json.load(file))
    except (OSError, *MALFORMED) as trouble:
        code, lines = 2, [f"Not a readable record ({trouble}). Use: python verify.py record.json"]
    for line in lines:
        line = "".join(letter if letter.isprintable() else "?" for letter in line)
        print(line.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
