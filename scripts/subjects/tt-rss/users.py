"""What readers of feeds do as they like: see ../roaming.py. They ask as the scripts of the page do, for what these have shown."""

import json
import re

from browser import Missing
from people import address, mistyped, new_password, password, think
from sessions import Reader

FEEDS = ["works", "ships", "stars", "tides", "nosuch"]
WORDS = ["crane", "fog", "high water", "comet", "nothingatall"]
SWITCHES = ["HIDE_READ_FEEDS", "COMBINED_DISPLAY_MODE", "SHOW_CONTENT_PREVIEW", "ENABLE_FEED_CATS", "REVERSE_HEADLINES", "CONFIRM_FEED_CATCHUP", "VFEED_GROUP_BY_FEED"]


def visit(browser, chance):
    who = chance.choices(["alan", "ada", "grace", "nobody"], [22, 38, 34, 6])[0]
    if who == "nobody":
        return knock(browser, chance)
    if chance.random() < 0.08:
        browser.open("/")
        browser.submit("password", login=who, password=mistyped(who))
    reader = Reader(browser, who)
    reader.articles, reader.place, in_settings = [], None, False
    for _ in range(chance.randint(5, 13)):
        # The page for reading, and the one with the settings: nobody goes from one to the other all the time.
        if chance.random() < 0.25:
            in_settings = not in_settings
            browser.open("/prefs.php" if in_settings else "/index.php")
            reader.arrive()
        wishes = {**ARRANGING, **(MANAGING if who == "alan" else {})} if in_settings else READING
        wish = chance.choices(list(wishes), list(wishes.values()))[0]
        try:
            wish(reader, chance)
        except Missing:
            pass
    if chance.random() < 0.3:
        reader.log_out()


def knock(browser, chance):
    browser.open(chance.choice(["/", "/prefs.php", "/public.php?op=rss&id=-2&key=wrong", "/public.php?op=forgotpass", "/public.php?op=nosuch", "/register.php"]))
    browser.open(chance.choice(["/", "/backend.php?op=rpc&method=getAllCounters", "/public.php?op=sharepopup"]))
    if chance.random() < 0.5 and any("turing_test" in form.names for form in browser.page.forms):
        browser.submit("turing_test", login="kate", email=address("kate"), turing_test="four")


def some(reader, chance):
    """Some of the articles that are shown."""
    if not reader.articles:
        look(reader, chance)
    if not reader.articles:
        raise Missing("no articles")
    return chance.sample(reader.articles, min(len(reader.articles), chance.randint(1, 3)))


def feeds(reader):
    return re.findall(r'"id":"FEED:(\d+)"', reader.tree())


def one(reader, chance, found):
    if not found:
        raise Missing("there is none")
    return chance.choice(found)


def look(reader, chance):
    own = feeds(reader) or ["-4"]
    place = chance.choice([chance.choice(own), chance.choice(own), "-4", "-1", "-2", "-3", "-6", "0"])
    more = {"view_mode": chance.choice(["all_articles", "adaptive", "unread", "marked"]), "order_by": chance.choice(["default", "feed_dates", "title"])}
    if chance.random() < 0.15:
        more["m"] = "ForceUpdate"
    if place == "0":
        more["cat"] = "true"
    reader.articles, reader.place = reader.view(place, **more), place


def search(reader, chance):
    word = chance.choice([*WORDS, "title:fog", "star:true", "pub:true", "note:true", "@yesterday"])
    reader.ask("feeds", "search", param="-4:false")
    reader.articles = reader.view(-4, query=word, search_language=chance.choice(["english", ""]))


def star(reader, chance):
    article = some(reader, chance)[0]
    reader.ask("rpc", "mark", id=article, mark=chance.choice(["1", "1", "0"]))


def read(reader, chance):
    reader.ask("rpc", "catchupSelected", ids=",".join(some(reader, chance)), cmode=chance.choice(["0", "0", "1", "2"]))
    reader.ask("rpc", "getAllCounters", last_article_id="0")


def select(reader, chance):
    reader.ask("rpc", chance.choice(["markSelected", "publishSelected"]), ids=",".join(some(reader, chance)), cmode=chance.choice(["0", "1", "2"]))


def publish(reader, chance):
    reader.ask("rpc", "publ", id=some(reader, chance)[0], pub=chance.choice(["1", "1", "0"]))
    if chance.random() < 0.5:
        shown = reader.ask("dlg", "generatedFeed", param="-2::http://127.0.0.1/public.php?op=rss&id=-2")
        key = re.search(r"key=([\w.]+)", shown)
        if key:
            reader.browser.script(f"/public.php?op=rss&id=-2&key={key[1]}")


def read_all(reader, chance):
    reader.ask("rpc", "catchupFeed", feed_id=reader.place or "-4", is_cat="false", mode=chance.choice(["all", "1day", "1week"]), search_query="", search_lang="")


def take_note(reader, chance):
    article = some(reader, chance)[0]
    reader.ask("pluginhandler", "edit", plugin="note", param=article)
    reader.ask("pluginhandler", "setNote", plugin="note", id=article, note=chance.choice(["Ask Alan about this.", "Old news.", ""]))


def tag(reader, chance):
    article = some(reader, chance)[0]
    reader.ask("article", "editArticleTags", param=article)
    reader.ask("article", "setArticleTags", id=article, tags_str=chance.choice(["nets, mended", "urgent", "", "a,b,a"]))
    if chance.random() < 0.4:
        reader.ask("dlg", "printTagCloud")


def score(reader, chance):
    reader.ask("article", "setScore", **{"id": ",".join(some(reader, chance)), "score": chance.choice(["100", "-600", "0", "high"])})


def label(reader, chance):
    labels = re.findall(r'"bare_id":"?(\d+)"?', reader.ask("pref-labels", "getlabeltree"))
    lid = one(reader, chance, labels)
    reader.ask("article", chance.choice(["assigntolabel", "assigntolabel", "removefromlabel"]), ids=",".join(some(reader, chance)), lid=lid)
    reader.articles = reader.view(-1024 - 1 - int(lid))


def subscribe(reader, chance):
    reader.ask("feeds", "quickAddFeed")
    reader.ask("rpc", "addfeed", feed=f"http://192.0.2.10/{chance.choice(FEEDS)}.xml", cat="0")
    think()
    reader.ask("rpc", "updaterandomfeed")
    look(reader, chance)


def by_phone(reader, chance):
    """Another program, with the session's id in what it sends."""

    def ask(op, **more):
        return json.loads(reader.browser.script("/api/", json.dumps({"op": op, **more}), kind="application/json"))["content"]

    came = ask("login", user="grace", password=password("grace"))
    if "session_id" not in came:
        raise Missing("not let in")
    sid = came["session_id"]
    ask("getFeeds", sid=sid, cat_id=-3)
    articles = ask("getHeadlines", sid=sid, feed_id=-4, limit=5)
    if isinstance(articles, list) and articles:
        ask("updateArticle", sid=sid, article_ids=str(articles[0]["id"]), mode=2, field=chance.choice([0, 1, 2]))
        ask("getArticle", sid=sid, article_id=articles[0]["id"])
    ask(chance.choice(["getCounters", "getUnread", "getLabels", "getCategories", "getFeedTree"]), sid=sid)


def make_label(reader, chance):
    reader.ask("pref-labels", "index")
    reader.ask("pref-labels", "add", caption=chance.choice(["Noise", "Later", "Sea", ""]))


def change_label(reader, chance):
    number = one(reader, chance, re.findall(r'"bare_id":"?(\d+)"?', reader.ask("pref-labels", "getlabeltree")))
    what = chance.choice(["save", "save", "colorset", "colorreset", "remove"])
    if what == "save":
        reader.ask("pref-labels", "edit", id=number)
        reader.ask("pref-labels", "save", id=number, caption=chance.choice(["Noisy", "Later", "Sea"]), fg_color="", bg_color="")
    elif what == "colorset":
        reader.ask("pref-labels", "colorset", kind=chance.choice(["fg", "bg"]), ids=number, color="#ff0000")
    else:
        reader.ask("pref-labels", what, ids=number)


def make_filter(reader, chance):
    reader.ask("pref-filters", "newfilter")
    sent = filter_of(chance)
    if chance.random() < 0.4:
        reader.ask("pref-filters", "testFilterDo", **sent, offset="0", limit="30")
    reader.ask("pref-filters", "add", **sent)


def filter_of(chance):
    rule = {"reg_exp": chance.choice(["crane", "fog|tide", "("]), "filter_type": chance.choice(["1", "2", "3"]), "feed_id": ["0"], "name": "x"}
    action = {"action_id": chance.choice(["1", "2", "3", "5", "6"]), "action_param": "10", "action_param_label": "", "action_param_plugin": ""}
    return {"enabled": "on", "title": chance.choice(["Cranes", "Weather", ""]), "rule[]": json.dumps(rule), "action[]": json.dumps(action)}


def change_filter(reader, chance):
    reader.ask("pref-filters", "index")
    number = one(reader, chance, re.findall(r'"bare_id":"?(\d+)', reader.ask("pref-filters", "getfiltertree")))
    what = chance.choice(["editSave", "editSave", "remove", "join"])
    if what == "editSave":
        reader.ask("pref-filters", "edit", id=number)
        reader.ask("pref-filters", "editSave", **filter_of(chance), id=number)
    else:
        reader.ask("pref-filters", what, ids=number)


def arrange(reader, chance):
    reader.ask("pref-feeds", "index")
    tree = reader.ask("pref-feeds", "getfeedtree")
    categories = [number for number in re.findall(r'"id":"CAT:(\d+)"', tree) if number != "0"]
    if not categories or chance.random() < 0.3:
        return reader.ask("pref-feeds", "addCat", cat=chance.choice(["Water", "Land", ""]))
    number = chance.choice(categories)
    what = chance.choice(["rename", "remove", "view"])
    if what == "rename":
        reader.ask("pref-feeds", "renamecat", id=number, title=chance.choice(["Sea", "Land", ""]))
    elif what == "remove":
        reader.ask("pref-feeds", "removeCat", ids=number)
    else:
        reader.view(number, cat="true")


def change_feed(reader, chance):
    tree = reader.ask("pref-feeds", "getfeedtree")
    feed = one(reader, chance, re.findall(r'"id":"FEED:(\d+)"', tree))
    category = chance.choice(["0", *re.findall(r'"id":"CAT:(\d+)"', tree)])
    reader.ask("pref-feeds", "editfeed", id=feed)
    reader.ask("pref-feeds", "editSave", id=feed, title=chance.choice(["Ships and boats", "Works", ""]), feed_url=f"http://192.0.2.10/{chance.choice(FEEDS)}.xml",
               site_url="", cat_id=category, update_interval=chance.choice(["0", "-1"]), purge_interval=chance.choice(["0", "30"]), auth_login="", auth_pass="", feed_language="English",
               **{name: "on" for name in ("include_in_digest", "private", "mark_unread_on_update", "hide_images") if chance.random() < 0.4})


def unsubscribe(reader, chance):
    reader.ask("pref-feeds", "remove", ids=one(reader, chance, feeds(reader)))


def look_after_feeds(reader, chance):
    reader.ask("pref-feeds", chance.choice(["inactiveFeeds", "feedsWithErrors", "clearKeys", "feedsortreset", "catsortreset", "batchSubscribe"]))


def switch(reader, chance):
    reader.ask("pref-prefs", "index")
    if chance.random() < 0.6:
        reader.ask("rpc", "togglepref", key=chance.choice(SWITCHES))
    else:
        key, value = chance.choice([("DEFAULT_ARTICLE_LIMIT", "15"), ("ENABLE_API_ACCESS", "true"), ("FRESH_ARTICLE_MAX_AGE", "48"), ("USER_TIMEZONE", "Nowhere/Here"), ("PURGE_OLD_DAYS", "-5")])
        reader.ask("rpc", "setpref", key=key, value=value)


def change_me(reader, chance):
    reader.ask("pref-prefs", "changeemail", email=chance.choice(["admiral@example.org", "nobody"]), full_name="Grace Hopper")
    if chance.random() < 0.3:
        new = new_password("grace")
        reader.ask("pref-prefs", "changepassword", old_password="wrong", new_password=new, confirm_password=chance.choice([new, ""]))


def profiles(reader, chance):
    reader.ask("pref-prefs", "editPrefProfiles")
    what = chance.choice(["addprofile", "addprofile", "setprofile", "remprofiles", "resetconfig"])
    if what == "addprofile":
        reader.ask("rpc", "addprofile", title=chance.choice(["At home", "At work"]))
    elif what == "resetconfig":
        reader.ask("pref-prefs", "resetconfig")
    else:
        number = one(reader, chance, ["0", *re.findall(r"data-row-id='(\d+)'", reader.ask("pref-prefs", "editPrefProfiles"))])
        reader.ask("rpc", what, id=number, ids=number)


def move(reader, chance):
    reader.browser.script("/backend.php?op=opml&method=export" + chance.choice(["", "&include_settings=1"]))


def manage(reader, chance):
    what = chance.choice(["add", "add", "editSave", "editSave", "userdetails", "resetPass", "remove", "index"])
    if what == "add":
        return reader.ask("pref-users", "add", login=chance.choice(["kate", "mary", "ada", ""]))
    shown = reader.ask("pref-users", "index", sort=chance.choice(["login", "access_level"]), search=chance.choice(["", "a"]))
    users = [number for number in re.findall(r"data-row-id=.(\d+)", shown) if int(number) > 3]
    if what == "index":
        return reader.ask("pref-system", "index")
    number = one(reader, chance, users)
    if what == "editSave":
        reader.ask("pref-users", "edit", id=number)
        reader.ask("pref-users", "editSave", id=number, login=chance.choice(["kate", "mary"]), access_level=chance.choice(["0", "5", "10"]), email=address("kate"), password="")
    elif what == "remove":
        reader.ask("pref-users", "remove", ids=number)
    else:
        reader.ask("pref-users", what, id=number)


READING = {look: 30, search: 8, star: 10, read: 12, select: 6, publish: 6, read_all: 4, take_note: 5, tag: 6, score: 5, label: 6, subscribe: 6, by_phone: 5}
ARRANGING = {make_label: 8, change_label: 8, make_filter: 7, change_filter: 8, arrange: 9, change_feed: 8, unsubscribe: 4, look_after_feeds: 4, switch: 9, change_me: 4, profiles: 6, move: 3}
MANAGING = {manage: 40}
