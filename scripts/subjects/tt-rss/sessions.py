"""What the people of the harbour do with their feed reader: one function a session, each with a browser of its own.

The reader is one page whose scripts ask for the rest; without a real browser, `Reader` asks as they do. The order matters: later users
find what earlier ones left. `EVERYBODY` at the end lists them.
"""

import json
import re

from browser import Missing
from people import address, expect, expect_in, new_password, password, think


class Reader:
    """A user who has logged in, and the scripts of the page."""

    def __init__(self, browser, user, typed=None):
        self.browser = browser
        browser.open("/")
        browser.submit("password", login=user, password=typed or password(user))
        self.arrive()

    def arrive(self):
        token = re.search(r'__csrf_token = "(\w+)"', self.browser.page.text)
        if not token:
            raise Missing(f"not logged in: {self.browser.page.url}")
        self.token = token[1]
        self.ask("rpc", "sanityCheck", hasAudio="true", hasMp3="true", hasSandbox="true", clientTzOffset="0")

    def ask(self, op, method, **more):
        return self.browser.script("/backend.php", {"op": op, "method": method, **more, "csrf_token": self.token})

    def settings(self):
        self.browser.open("/prefs.php")
        self.arrive()

    def tree(self):
        return self.ask("pref-feeds", "getfeedtree", mode="2")

    def view(self, feed, **more):
        """The headlines of a feed, those of all without a number; the ids of its articles."""
        asked = {"view_mode": "all_articles", "order_by": "default", "m": "", "cat": "false", **more}
        shown = json.loads(self.ask("feeds", "view", feed=str(feed), **asked))
        content = shown["headlines"]["content"]
        self.shown = json.dumps(content)
        return [str(article["id"]) for article in content if isinstance(article, dict) and "id" in article] if isinstance(content, list) else []

    def feed(self, title):
        """The number of a feed, out of the tree."""
        found = re.search(rf'"id":"FEED:(-?\d+)"[^{{}}]*?"name":"{title}"', self.tree())
        if not found:
            raise Missing(f"no feed {title}")
        return found[1]

    def log_out(self):
        self.browser.post("/public.php", {"op": "logout", "csrf_token": self.token})
        expect(self.browser, "I forgot my password")


def visitor_at_the_door(browser):
    browser.open("/")
    browser.submit("password", login="ada", password="wrong")
    expect(browser, "Incorrect username or password")
    browser.click("I forgot my password")
    browser.open("/public.php?op=nosuch")
    browser.open("/backend.php?op=rpc&method=getAllCounters")
    browser.open("/prefs.php")


def mary_registers(browser):
    browser.open("/register.php")
    browser.submit("turing_test", login="mary", email=address("mary"), turing_test="five")
    expect(browser, "failed the robot test")
    browser.open("/register.php")
    browser.script("/register.php?action=check&login=ada")
    browser.submit("turing_test", login="mary", email=address("mary"), turing_test="four")
    expect(browser, "Account created successfully")


def alan_gives_mary_a_password(browser):
    alan = Reader(browser, "alan")
    alan.settings()
    users = alan.ask("pref-users", "index")
    number = re.search(r'data-row-id=.(\d+)(?:(?!data-row-id).)*mary', users, re.S)
    if not number:
        raise Missing(f"no mary in {users[:200]}")
    alan.ask("pref-users", "edit", id=number[1])
    alan.ask("pref-users", "editSave", id=number[1], login="mary", access_level="0", email=address("mary"), password=password("mary"))
    expect_in(alan.ask("pref-users", "index", search="mary"), "mary")
    alan.log_out()


def ada_reads(browser):
    ada = Reader(browser, "ada")
    ada.tree()
    articles = ada.view(-4)
    ada.ask("rpc", "catchupSelected", ids=",".join(articles[:2]), cmode="0")
    ada.ask("rpc", "mark", id=articles[0], mark="1")
    works = ada.view(ada.feed("Works"))
    expect_in(ada.shown, "The crane squeaks")
    ada.ask("rpc", "catchupSelected", ids=works[-1], cmode="0")
    ada.ask("rpc", "getAllCounters", last_article_id="0")
    ada.view(-1)
    ada.log_out()


def ada_subscribes(browser):
    ada = Reader(browser, "ada")
    ada.ask("feeds", "quickAddFeed")
    expect_in(ada.ask("rpc", "addfeed", feed="http://192.0.2.10/nosuch.xml", cat="0"), '"code":')
    think()
    expect_in(ada.ask("rpc", "addfeed", feed="http://192.0.2.10/tides.xml", cat="0"), '"feed_id"')
    expect_in(ada.ask("rpc", "addfeed", feed="http://192.0.2.10/tides.xml", cat="0"), '"code":0')
    number = re.search(r'"id":"FEED:(\d+)"[^{}]*?"name":"(?:Tides|\[Unknown\])"', ada.tree())[1]
    ada.view(number)
    think()
    expect_in(ada.ask("rpc", "updaterandomfeed"), "UPDATE_COUNTERS")
    ada.view(number)
    expect_in(ada.shown, "High water")
    ada.ask("rpc", "catchupFeed", feed_id=number, is_cat="false", mode="all", search_query="", search_lang="")


def grace_labels(browser):
    grace = Reader(browser, "grace")
    grace.settings()
    grace.ask("pref-labels", "index")
    expect_in(grace.ask("pref-labels", "add", caption="Noise"), "Noise")
    grace.ask("pref-labels", "add", caption="Later")
    labels = grace.ask("pref-labels", "getlabeltree")
    number = re.search(r'"bare_id":"?(\d+)"?(?:(?!bare_id).)*"name":"Noise"', labels)[1]
    grace.ask("pref-labels", "edit", id=number)
    grace.ask("pref-labels", "save", id=number, caption="Noisy", fg_color="", bg_color="")
    grace.browser.open("/index.php")
    grace.arrive()
    articles = grace.view(-4)
    grace.ask("article", "assigntolabel", ids=",".join(articles[:3]), lid=number)
    grace.view(-1024 - 1 - int(number))
    expect_in(grace.shown, "Noisy")
    grace.ask("article", "removefromlabel", ids=articles[0], lid=number)


def grace_filters(browser):
    grace = Reader(browser, "grace")
    grace.settings()
    grace.ask("pref-filters", "index")
    grace.ask("pref-filters", "newfilter")
    rule = json.dumps({"reg_exp": "crane", "filter_type": "1", "feed_id": ["0"], "name": "crane"})
    action = json.dumps({"action_id": "2", "action_param": "", "action_param_label": "", "action_param_plugin": ""})
    grace.ask("pref-filters", "printrulename", rule=rule)
    sent = {"enabled": "on", "title": "Cranes", "rule[]": rule, "action[]": action}
    expect_in(grace.ask("pref-filters", "testFilterDo", **sent, offset="0", limit="30"), "crane")
    grace.ask("pref-filters", "add", **sent)
    tree = grace.ask("pref-filters", "getfiltertree")
    expect_in(tree, "Cranes")
    number = re.search(r'"bare_id":"?(\d+)', tree)[1]
    grace.ask("pref-filters", "edit", id=number)
    grace.ask("pref-filters", "editSave", **{**sent, "title": "All cranes"}, id=number)
    expect_in(grace.ask("pref-filters", "getfiltertree"), "All cranes")


def ada_searches(browser):
    ada = Reader(browser, "ada")
    ada.ask("feeds", "search", param="-4:false")
    ada.view(-4, query="crane", search_language="english")
    expect_in(ada.shown, "The crane squeaks")
    ada.view(-4, query="title:fog")
    ada.view(-4, query="nothingatall", search_language="english")
    ada.view(-4, query="star:true")


def ada_arranges_feeds(browser):
    ada = Reader(browser, "ada")
    ada.settings()
    ada.ask("pref-feeds", "index")
    ada.ask("pref-feeds", "addCat", cat="Water")
    tree = ada.ask("pref-feeds", "getfeedtree")
    number = re.search(r'"bare_id":(\d+),(?:(?!bare_id).)*"name":"Water"', tree) or re.search(r'"id":"CAT:(\d+)","bare_id":\d+,[^{}]*"name":"Water"', tree)
    ships = ada.feed("Ships")
    ada.ask("pref-feeds", "editfeed", id=ships)
    ada.ask("pref-feeds", "editSave", id=ships, title="Ships and boats", feed_url="http://192.0.2.10/ships.xml", site_url="http://192.0.2.10/ships/", cat_id=number[1], update_interval="0", purge_interval="0", auth_login="", auth_pass="", feed_language="English", include_in_digest="on")
    expect_in(ada.tree(), "Ships and boats")
    ada.ask("pref-feeds", "renamecat", id=number[1], title="Sea")
    ada.view(number[1], cat="true")
    ada.ask("pref-feeds", "editfeeds", ids=ships)
    ada.ask("rpc", "togglepref", key="HIDE_READ_FEEDS")
    ada.log_out()


def ada_takes_notes(browser):
    ada = Reader(browser, "ada")
    articles = ada.view(ada.feed("Works"))
    ada.ask("pluginhandler", "edit", plugin="note", param=articles[0])
    ada.ask("pluginhandler", "setNote", plugin="note", id=articles[0], note="Ask Alan about this.")
    ada.ask("article", "editArticleTags", param=articles[0])
    ada.ask("article", "completeTags", search="cr")
    ada.ask("article", "setArticleTags", id=articles[0], tags_str="nets, mended")
    ada.ask("article", "setScore", id=articles[1], score="100")
    ada.view(ada.feed("Works"))
    expect_in(ada.shown, "Ask Alan")
    ada.ask("dlg", "printTagCloud")


def grace_publishes(browser):
    grace = Reader(browser, "grace")
    articles = grace.view(-4)
    grace.ask("rpc", "publ", id=articles[1], pub="1")
    grace.ask("rpc", "publishSelected", ids=",".join(articles[3:5]), cmode="1")
    grace.view(-2)
    shown = grace.ask("dlg", "generatedFeed", param="-2::http://127.0.0.1/public.php?op=rss&id=-2")
    key = re.search(r"key=([\w.]+)", shown)
    if not key:
        raise Missing(f"no address of the feed in {shown[:300]}")
    browser.open(f"/public.php?op=rss&id=-2&key={key[1]}")
    expect(browser, "<entry>")
    browser.open("/public.php?op=rss&id=-2&key=wrong")


def ada_moves_out(browser):
    ada = Reader(browser, "ada")
    ada.settings()
    browser.open("/backend.php?op=opml&method=export")
    expect(browser, "tides.xml")
    browser.open("/backend.php?op=opml&method=export&include_settings=1")


def mary_moves_in(browser):
    mary = Reader(browser, "mary")
    mary.settings()
    mary.ask("pref-feeds", "index")
    # What every new user is given, from elsewhere.
    mary.ask("pref-feeds", "remove", ids=",".join(re.findall(r'"id":"FEED:(\d+)"', mary.tree())))
    # One after the other: which of several the reader reads first is chance.
    for feed in ("stars", "works"):
        mary.ask("pref-feeds", "batchAddFeeds", cat="0", feeds=f"http://192.0.2.10/{feed}.xml", login="", **{"pass": ""})
        think()
        expect_in(mary.ask("rpc", "updaterandomfeed"), "UPDATE_COUNTERS")
    mary.view(-4)
    expect_in(mary.shown, "Comet")
    mary.ask("pref-feeds", "remove", ids=mary.feed("Works"))
    mary.log_out()


def grace_changes_settings(browser):
    grace = Reader(browser, "grace")
    grace.settings()
    grace.ask("pref-prefs", "index")
    grace.ask("rpc", "setpref", key="DEFAULT_ARTICLE_LIMIT", value="15")
    grace.ask("rpc", "setpref", key="ENABLE_API_ACCESS", value="true")
    grace.ask("pref-prefs", "changeemail", email="admiral@example.org", full_name="Grace Hopper")
    expect_in(grace.ask("pref-prefs", "changepassword", old_password="wrong", new_password=new_password("grace"), confirm_password=new_password("grace")), "ERROR")
    grace.ask("pref-prefs", "changepassword", old_password=password("grace"), new_password=new_password("grace"), confirm_password=new_password("grace"))
    grace.ask("pref-prefs", "customizeCSS")
    grace.ask("pref-prefs", "index")
    grace.log_out()
    grace = Reader(browser, "grace", new_password("grace"))
    grace.settings()
    grace.ask("pref-prefs", "changepassword", old_password=new_password("grace"), new_password=password("grace"), confirm_password=password("grace"))


def graces_phone(browser):
    """Another program, that speaks JSON, with the session's id in what it sends."""
    browser.open("/public.php?op=nosuch")

    def ask(op, **more):
        return json.loads(browser.script("/api/", json.dumps({"op": op, **more}), kind="application/json"))["content"]

    ask("isLoggedIn", sid="")
    came = ask("login", user="grace", password=password("grace"))
    if "session_id" not in came:
        raise Missing(f"not let in: {came}")
    sid = came["session_id"]
    ask("getCategories", sid=sid)
    feeds = ask("getFeeds", sid=sid, cat_id=-3)
    articles = ask("getHeadlines", sid=sid, feed_id=feeds[0]["id"], limit=3)
    ask("updateArticle", sid=sid, article_ids=str(articles[0]["id"]), mode=1, field=0)
    ask("getArticle", sid=sid, article_id=articles[0]["id"])
    ask("getUnread", sid=sid)
    ask("logout", sid=sid)


def alan_manages_users(browser):
    alan = Reader(browser, "alan")
    alan.settings()
    expect_in(alan.ask("pref-users", "add", login="kate"), "Added user")
    expect_in(alan.ask("pref-users", "add", login="ada"), "already exists")
    users = alan.ask("pref-users", "index", sort="login", search="")
    number = re.search(r'data-row-id=.(\d+)(?:(?!data-row-id).)*kate', users, re.S)[1]
    alan.ask("pref-users", "editSave", id=number, login="kate", access_level="5", email=address("kate"), password="")
    alan.ask("pref-users", "userdetails", id=number)
    alan.ask("pref-users", "resetPass", id=number)
    alan.ask("pref-users", "remove", ids=number)
    alan.ask("pref-users", "index")
    alan.ask("pref-system", "index")


def ada_unsubscribes(browser):
    ada = Reader(browser, "ada")
    feed = ada.feed("Works")
    articles = ada.view(feed, view_mode="unread")
    ada.ask("rpc", "catchupSelected", ids=",".join(articles), cmode="0")
    ada.ask("pref-feeds", "remove", ids=feed)
    ada.tree()
    ada.view(-1)
    ada.ask("rpc", "getAllCounters", last_article_id="0")
    ada.log_out()


def log_in_chromium(browser, address, user):
    browser.open(address + "/")
    browser.wait_for("window.dijit && dijit.byId && dijit.byId('bw_limit')")
    browser.type("input[name=login]", user)
    browser.type("input[name=password]", password(user))
    browser.run("document.forms[0].submit()")
    browser.wait_for("typeof App === 'object' && window.dijit && dijit.byId && dijit.byId('feedTree') && document.querySelector('#headlines-frame')")
    browser.wait_for("document.querySelector('#feedTree .dijitTreeNode')")


def grace_in_chromium(browser, address):
    """With the reader's own scripts: a feed is opened, an article starred, all marked as read."""
    log_in_chromium(browser, address, "grace")
    browser.run("Feeds.open({feed: -4, is_cat: false})")
    browser.wait_for("document.querySelector('#headlines-frame').innerText.includes('Puffin')")
    browser.run("Headlines.toggleMark(parseInt(document.querySelector('#headlines-frame [data-article-id]').getAttribute('data-article-id')))")
    browser.wait_for("document.querySelector('#headlines-frame .marked')")
    think()
    browser.run("Feeds.open({feed: -1, is_cat: false})")
    browser.wait_for("Feeds.getActive() == -1 && document.querySelector('#headlines-frame [data-article-id]')")
    browser.run("App.postCurrentWindow('public.php', {op: 'logout', csrf_token: __csrf_token})")
    browser.wait_for("document.querySelector('input[name=login]')")


def mary_in_chromium(browser, address):
    log_in_chromium(browser, address, "mary")
    browser.wait_for("typeof CommonDialogs === 'object'")
    browser.run("CommonDialogs.quickAddFeed()")
    browser.wait_for("document.querySelector('#feedDlg_feedUrl')")
    browser.run("dijit.byId('feedDlg_feedUrl').attr('value', 'http://192.0.2.10/ships.xml')")
    browser.run("dijit.byId('feedAddDlg').execute()")
    browser.wait_for("!dijit.byId('feedAddDlg')?.open")
    think()


EVERYBODY = [
    (visitor_at_the_door, "firefox"),
    (mary_registers, "phone"),
    (alan_gives_mary_a_password, "firefox"),
    (ada_reads, "firefox"),
    (ada_subscribes, "firefox"),
    (grace_labels, "chrome"),
    (grace_filters, "chrome"),
    (ada_searches, "firefox"),
    (ada_arranges_feeds, "firefox"),
    (ada_takes_notes, "firefox"),
    (grace_publishes, "chrome"),
    (ada_moves_out, "firefox"),
    (mary_moves_in, "phone"),
    (grace_changes_settings, "chrome"),
    (graces_phone, "Reader/3.1"),
    (alan_manages_users, "firefox"),
    (ada_unsubscribes, "firefox"),
]

# Those of EVERYBODY that make a quick test.
BRIEF = {session for session, _ in EVERYBODY}

IN_CHROMIUM = [grace_in_chromium, mary_in_chromium]
