# Gives the forum users, categories and topics. Run in its shell: manage.py shell <content.py
import os
from datetime import datetime, timedelta, timezone
from django.contrib.auth.models import User
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic

people = {}
for name, rank in (("alan", "administrator"), ("ada", "moderator"), ("grace", "")):
    user = User.objects.create_user(name, os.environ[f"ADDRESS_{name.upper()}"], os.environ[f"PASSWORD_{name.upper()}"], is_staff=rank == "administrator", is_superuser=rank == "administrator")
    user.st.is_verified = True
    user.st.is_administrator = rank == "administrator"
    user.st.is_moderator = rank != ""
    user.st.save()
    people[name] = user

works = Category.objects.create(title="Works", description="What the harbour builds", is_global=True)
ships = Category.objects.create(title="Ships", description="What comes and goes", is_global=True)
tugs = Category.objects.create(title="Tugs", parent=ships, is_global=True)
hour = datetime(2026, 1, 5, 10, tzinfo=timezone.utc)
for title, category, author, text, answers in (
    ("The crane squeaks", works, "grace", "It squeaks, and it lifts only **twelve** tonnes.", [("ada", "I greased it on Monday."), ("grace", "It still squeaks.")]),
    ("A new lantern", works, "ada", "It is seen twelve nautical miles away.", []),
    ("The ferry is late", ships, "grace", "The 08:00 boat left at 08:20.", [("alan", "There was fog.")]),
    ("Puffin", tugs, "alan", "The tug *Puffin* has 300 hp.", []),
):
    hour += timedelta(days=1)
    topic = Topic.objects.create(title=title, category=category, user=people[author], date=hour, last_active=hour + timedelta(hours=len(answers)), comment_count=1 + len(answers))
    for number, (writer, said) in enumerate([(author, text), *answers]):
        html = "<p>" + said.replace("**twelve**", "<strong>twelve</strong>").replace("*Puffin*", "<em>Puffin</em>") + "</p>"
        Comment.objects.create(user=people[writer], topic=topic, comment=said, comment_html=html, date=hour + timedelta(hours=number))

print(Topic.objects.count(), "topics")
