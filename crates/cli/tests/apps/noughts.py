"""Noughts and crosses for two users with turns: who logs in challenges somebody, and the two move by turns.

Players, their sessions, games and moves are rows in data/noughts.db. In the environment, FAULT=1 makes it a version that draws
every mark as a cross, and DIES_AT=3 one that ends at the fourth move of a game.
"""

import html
import http.server
import os
import secrets
import sqlite3
import sys
import time
import urllib.parse

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SCHEMA = """
CREATE TABLE IF NOT EXISTS players (id INTEGER PRIMARY KEY, name TEXT UNIQUE, won INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS sessions (token TEXT PRIMARY KEY, player INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS games (id INTEGER PRIMARY KEY AUTOINCREMENT, cross INTEGER NOT NULL, nought INTEGER NOT NULL,
    state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS moves (game_id INTEGER NOT NULL, number INTEGER NOT NULL, player INTEGER NOT NULL, cell INTEGER NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (game_id, number));
"""


def connect():
    database = sqlite3.connect("data/noughts.db", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    return database


class Noughts(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, text, headers=()):
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def page(self, title, body, status=200):
        self.answer(status, f"<!doctype html><title>{title} - Noughts and crosses</title><h1>{title}</h1>{body}")

    def redirect(self, to, headers=()):
        self.answer(303, "", [("location", to), *headers])

    def player(self):
        cookie = self.headers.get("cookie", "")
        token = next((part.split("=", 1)[1] for part in cookie.split("; ") if part.startswith("noughts=")), "")
        return self.db.execute(
            "SELECT p.id, p.name FROM sessions s JOIN players p ON p.id = s.player WHERE token = ?", (token,)
        ).fetchone()

    def do_GET(self):
        self.with_database(self.look)

    def do_POST(self):
        self.with_database(self.change)

    def with_database(self, serve):
        self.db = connect()
        try:
            serve()
        finally:
            # What is not committed by now is not to stay.
            self.db.close()

    def look(self):
        path = urllib.parse.urlsplit(self.path).path
        player = self.player()
        if path == "/scores":
            return self.scores()
        if player is None:
            return self.page("Log in", "<form action='/login' method=post><input name=name><button>Play</button></form>")
        if path == "/":
            return self.home(player)
        if path.startswith("/games/"):
            return self.board(player, path.split("/")[2])
        self.page("Not found", "", 404)

    def change(self):
        size = int(self.headers.get("content-length", 0))
        form = dict(urllib.parse.parse_qsl(self.rfile.read(size).decode()))
        path = urllib.parse.urlsplit(self.path).path
        if path == "/login":
            return self.login(form["name"])
        player = self.player()
        if player is None:
            return self.page("Log in first", "", 403)
        if path == "/games":
            return self.challenge(player, form["name"])
        if path.endswith("/move"):
            return self.move(player, path.split("/")[2], int(form["cell"]), form["turn"])
        self.page("Not found", "", 404)

    def login(self, name):
        self.db.execute("INSERT OR IGNORE INTO players (name) VALUES (?)", (name,))
        token = secrets.token_hex(16)
        self.db.execute("INSERT INTO sessions SELECT ?, id FROM players WHERE name = ?", (token, name))
        self.redirect("/", [("set-cookie", f"noughts={token}; Path=/; HttpOnly")])

    def home(self, player):
        games = self.db.execute(
            "SELECT g.id, g.state, p.name FROM games g JOIN players p ON p.id = g.cross + g.nought - ?1"
            " WHERE ?1 IN (cross, nought) ORDER BY g.id",
            (player[0],),
        ).fetchall()
        items = "".join(
            f"<li><a href='/games/{game}'>against {html.escape(name)}</a>, {state}</li>" for game, state, name in games
        )
        self.page(
            f"Hello, {html.escape(player[1])}",
            f"<ul class=games>{items}</ul>"
            "<form action='/games' method=post><input name=name><button>Challenge</button></form>",
        )

    def challenge(self, player, name):
        other = self.db.execute("SELECT id FROM players WHERE name = ?", (name,)).fetchone()
        if other is None:
            return self.page("Nobody here is called that", f"<p>{html.escape(name)} has not come yet.</p>", 404)
        made = self.db.execute(
            "INSERT INTO games (cross, nought, state) VALUES (?, ?, 'open')", (player[0], other[0])
        )
        self.redirect(f"/games/{made.lastrowid}")

    def game(self, number):
        game = self.db.execute("SELECT id, cross, nought, state FROM games WHERE id = ?", (number,)).fetchone()
        moves = self.db.execute("SELECT player, cell FROM moves WHERE game_id = ? ORDER BY number", (number,)).fetchall()
        return game, moves

    def board(self, player, number, status=200, why=""):
        game, moves = self.game(number)
        if game is None or player[0] not in game[1:3]:
            return self.page("No such game", "", 404)
        marks = {cell: "X" if mover == game[1] or os.environ.get("FAULT") else "O" for mover, cell in moves}
        turn = game[1 + len(moves) % 2]
        mine = game[3] == "open" and turn == player[0]
        said = {"open": "It is your turn." if mine else "The other one is thinking.", "drawn": "Nobody has won."}
        told = said.get(game[3]) or f"{html.escape(game[3])} has won."
        cells = "".join(
            f"<td>{marks[cell]}</td>"
            if cell in marks
            else f"<td><form action='/games/{number}/move' method=post><input type=hidden name=turn value={len(moves)}>"
            f"<button name=cell value={cell}>here</button></form></td>"
            if mine
            else "<td>free</td>"
            for cell in range(9)
        )
        rows = "".join(f"<tr>{row}</tr>" for row in chunks(cells))
        self.page("The board", f"<p class=error>{why}</p><p class=told>{told}</p><table>{rows}</table>", status)

    def move(self, player, number, cell, turn):
        if turn == os.environ.get("DIES_AT"):
            os._exit(9)
        self.db.execute("BEGIN IMMEDIATE")
        game, moves = self.game(number)
        if game is None:
            return self.page("No such game", "", 404)
        if game[3] != "open" or game[1 + len(moves) % 2] != player[0] or int(turn) != len(moves):
            self.db.execute("ROLLBACK")
            return self.board(player, number, 409, "It is not your turn.")
        if cell in [taken for _, taken in moves] or not 0 <= cell < 9:
            self.db.execute("ROLLBACK")
            return self.board(player, number, 409, "Somebody is there already.")
        self.db.execute(
            "INSERT INTO moves VALUES (?, ?, ?, ?, ?)", (number, len(moves) + 1, player[0], cell, int(time.time()))
        )
        own = {taken for mover, taken in [*moves, (player[0], cell)] if mover == player[0]}
        if any(own.issuperset(line) for line in LINES):
            self.db.execute("UPDATE games SET state = ? WHERE id = ?", (player[1], number))
            self.db.execute("UPDATE players SET won = won + 1 WHERE id = ?", (player[0],))
        elif len(moves) == 8:
            self.db.execute("UPDATE games SET state = 'drawn' WHERE id = ?", (number,))
        self.db.execute("COMMIT")
        self.redirect(f"/games/{number}")

    def scores(self):
        over = self.db.execute(
            "SELECT c.name, n.name, g.state FROM games g JOIN players c ON c.id = g.cross JOIN players n ON n.id = g.nought"
            " WHERE g.state <> 'open' ORDER BY g.id"
        ).fetchall()
        rows = "".join(
            f"<li>{html.escape(cross)} against {html.escape(nought)}: "
            + ("drawn" if state == "drawn" else f"{html.escape(state)} has beaten the other one")
            for cross, nought, state in over
        )
        self.page("What became of the games", f"<ol>{rows}</ol>" if rows else "<p>All are still playing.</p>")


def chunks(cells):
    all_cells = [cell + "</td>" for cell in cells.split("</td>")[:-1]]
    return ["".join(all_cells[at : at + 3]) for at in (0, 3, 6)]


os.makedirs("data", exist_ok=True)
connect().executescript(SCHEMA)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Noughts).serve_forever()
