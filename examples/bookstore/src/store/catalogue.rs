//! What the shop is first stocked with, as tables: categories, titles, members.

/// The categories, in the order of their ids.
pub(crate) const CATEGORIES: [&str; 6] =
    ["Fiction", "Mystery", "Science & Nature", "History", "Computing", "Cookery & Home"];

/// The countries that a member may live in.
pub(crate) const COUNTRIES: [&str; 8] =
    ["Australia", "Canada", "France", "Germany", "India", "Ireland", "United Kingdom", "United States"];

/// The members: user name, password, full name, country. The first is the administrator.
pub(crate) const MEMBERS: [(&str, &str, &str, &str); 7] = [
    ("admin", "admin", "Agatha Ledger", "United Kingdom"),
    ("ada", "lovelace", "Ada Lovelace", "United Kingdom"),
    ("grace", "hopper", "Grace Hopper", "United States"),
    ("alan", "turing", "Alan Turing", "United Kingdom"),
    ("edsger", "dijkstra", "Edsger Dijkstra", "Germany"),
    ("barbara", "liskov", "Barbara Liskov", "United States"),
    ("emmy", "noether", "Emmy Noether", "Germany"),
];

/// A book: title, author, price in cents, date of publication, pages, copies in stock.
type Title = (&'static str, &'static str, i64, &'static str, i64, i64);

/// The books that shoppers ask for, ten a category in the order of the categories.
pub(crate) const TITLES: [Title; 60] = [
    ("The Lighthouse Keeper's Atlas", "Mara Ellison", 1450, "2024-03-12", 312, 24),
    ("Salt & Iron", "Jonas Verhoeven", 1295, "2023-09-01", 288, 17),
    ("A Year Without Windows", "Priya Raman", 1600, "2025-01-20", 342, 9),
    ("The Orchard at Low Tide", "Mara Ellison", 1380, "2022-05-17", 276, 31),
    ("Small Weather", "Tomas Lindqvist", 995, "2021-11-02", 198, 40),
    ("Letters to a Paper City", "Imogen Hale", 1750, "2024-10-08", 401, 12),
    ("The Glass Ferryman", "Dario Conti", 1525, "2023-02-14", 330, 8),
    ("Every Third Stranger", "Priya Raman", 1410, "2022-08-30", 295, 15),
    ("Northbound, Slowly", "Tomas Lindqvist", 900, "2020-06-11", 224, 22),
    ("The Cartographer's Daughter", "Imogen Hale", 1890, "2025-06-03", 448, 6),
    ("The Ninth Bell", "Edith Marlowe", 1150, "2023-10-19", 304, 28),
    ("Murder on Platform Four", "Edith Marlowe", 1050, "2021-04-06", 281, 33),
    ("The Quiet Locksmith", "Rafael Ortega", 1275, "2024-01-30", 317, 14),
    ("A Clue in Cobalt", "Sunniva Dahl", 1320, "2022-09-13", 290, 19),
    ("The Widow's Ledger", "Edith Marlowe", 1225, "2025-02-25", 336, 11),
    ("Fog & Fingerprints", "Rafael Ortega", 999, "2020-10-27", 263, 26),
    ("The Last Tenant", "Clement Osei", 1480, "2023-06-20", 352, 7),
    ("Nobody's Alibi", "Sunniva Dahl", 1100, "2021-08-24", 274, 21),
    ("Death Takes the Tram", "Clement Osei", 1000, "2022-03-15", 258, 18),
    ("The Inspector's Holiday", "Rafael Ortega", 1360, "2024-07-09", 309, 10),
    ("The Patience of Moss", "Helena Brandt", 2100, "2024-04-23", 264, 13),
    ("How Rivers Remember", "Kwame Asante", 1950, "2023-05-09", 318, 16),
    ("A Field Guide to Clouds", "Lucy Penhaligon", 1675, "2021-03-30", 232, 35),
    ("The Curious Octopus", "Helena Brandt", 1840, "2022-10-04", 287, 20),
    ("Numbers in the Garden", "Ravi Chandra", 2250, "2025-03-18", 344, 9),
    ("Starlight & Dust", "Ines Moreau", 2480, "2024-09-17", 396, 11),
    ("The Slow Clock of Stones", "Kwame Asante", 1790, "2020-09-22", 305, 14),
    ("Bees at the Window", "Lucy Penhaligon", 1320, "2023-07-11", 190, 27),
    ("What the Tides Know", "Ines Moreau", 1560, "2021-06-15", 249, 23),
    ("The Map Inside the Seed", "Ravi Chandra", 2020, "2022-02-08", 311, 5),
    ("The Salt Roads", "Beatrix Nolan", 2295, "2023-11-14", 512, 12),
    ("A Short History of Long Walls", "Oskar Heim", 1680, "2022-04-19", 288, 18),
    ("Queens of the River Towns", "Beatrix Nolan", 1990, "2024-02-06", 376, 9),
    ("The Printer's Revolt", "Amadou Diallo", 1850, "2021-09-28", 334, 15),
    ("Merchants & Monsoons", "Leila Farouk", 2400, "2025-04-15", 468, 7),
    ("The Year of Two Harvests", "Oskar Heim", 1475, "2020-05-26", 260, 24),
    ("Winter Embassies", "Leila Farouk", 2050, "2023-01-24", 402, 10),
    ("The Forgotten Lighthouses", "Amadou Diallo", 1390, "2022-06-28", 242, 29),
    ("Bread, Ink and Gunpowder", "Beatrix Nolan", 2175, "2024-11-19", 428, 8),
    ("The Clockmakers of Lindau", "Oskar Heim", 1620, "2021-12-07", 296, 13),
    ("The Honest Compiler", "Nadia Petrov", 3450, "2024-05-28", 520, 14),
    ("Tests That Tell the Truth", "Samuel Okoro", 2990, "2023-03-21", 384, 22),
    ("Databases by Candlelight", "Wen Zhao", 3795, "2025-05-13", 612, 10),
    ("The Pragmatic Gardener of Code", "Nadia Petrov", 2850, "2022-11-08", 340, 17),
    ("Threads & Knots", "Ingrid Solberg", 3125, "2021-05-18", 432, 12),
    ("A Primer of Small Languages", "Wen Zhao", 2600, "2020-08-04", 298, 19),
    ("Networks for the Curious", "Samuel Okoro", 2740, "2023-08-15", 366, 25),
    ("The Shape of an Error", "Ingrid Solberg", 3300, "2024-08-27", 410, 6),
    ("Proofs over Breakfast", "Nadia Petrov", 2480, "2022-01-11", 276, 16),
    ("Release Notes from the Edge", "Samuel Okoro", 3050, "2025-07-01", 358, 11),
    ("One Pot, Four Seasons", "Gemma Archer", 1850, "2023-04-04", 224, 30),
    ("The Patient Loaf", "Luc Fournier", 2195, "2024-06-18", 256, 21),
    ("Spice & Silence", "Anjali Mehta", 2350, "2022-07-26", 280, 13),
    ("A Kitchen by the Sea", "Gemma Archer", 1975, "2021-02-23", 240, 18),
    ("The Weekday Vegetarian", "Anjali Mehta", 1695, "2025-02-04", 208, 27),
    ("Mending: A Household Art", "Freya Holm", 1420, "2020-11-17", 176, 15),
    ("Soup for a Crowd", "Gemma Archer", 1250, "2023-12-05", 168, 32),
    ("The Little Book of Shelves", "Freya Holm", 899, "2022-12-13", 120, 38),
    ("Pickles, Jams & Patience", "Luc Fournier", 1560, "2024-09-03", 198, 20),
    ("Coffee, Slowly Explained", "Luc Fournier", 1140, "2021-10-12", 152, 0),
];

/// The older books, four a category, which nobody has rated: with them every page of a category lists
/// at least five books rated alike.
pub(super) const OLDER_TITLES: [Title; 24] = [
    ("Harbour of Small Hours", "Signe Aalto", 1190, "2018-04-10", 266, 11),
    ("The Winter Lodgers", "Bruno Castell", 1085, "2017-09-19", 301, 14),
    ("A Handful of Porches", "Signe Aalto", 945, "2016-06-07", 212, 19),
    ("Two Maps of Nowhere", "Odile Perrin", 1235, "2019-02-26", 324, 8),
    ("The Borrowed Umbrella", "Hamish Reid", 925, "2018-10-02", 248, 23),
    ("Seven Keys, Six Doors", "Hamish Reid", 980, "2019-05-14", 259, 16),
    ("A Poor Night for Poison", "Greta Lund", 1015, "2016-11-08", 270, 12),
    ("The Beekeeper's Motive", "Greta Lund", 1120, "2017-03-21", 286, 9),
    ("Why Owls Wait", "Tobias Wren", 1640, "2018-02-13", 238, 17),
    ("The Weight of Snow", "Mirela Popa", 1725, "2019-10-29", 272, 10),
    ("Lichens for Company", "Tobias Wren", 1480, "2016-04-05", 184, 21),
    ("Eleven Kinds of Rain", "Mirela Popa", 1595, "2017-07-18", 226, 13),
    ("Ferries of the Grey Coast", "Walter Quist", 1540, "2017-05-30", 254, 15),
    ("The Tin Parliament", "Noor Haddad", 1890, "2019-01-15", 358, 7),
    ("Candles, Coal, Current", "Walter Quist", 1710, "2018-08-21", 316, 12),
    ("A Village and Its Bells", "Noor Haddad", 1365, "2016-10-11", 232, 18),
    ("Queues and Patience", "Pavel Hora", 2780, "2018-06-26", 328, 14),
    ("The Unhurried Debugger", "Mei Tanaka", 2895, "2019-09-03", 352, 11),
    ("Trees, Heaps, Hedges", "Pavel Hora", 3020, "2017-11-14", 396, 9),
    ("Bits Left Over", "Mei Tanaka", 2690, "2016-08-30", 244, 20),
    ("A Shelf of Beans", "Rosalind Pike", 1310, "2017-01-24", 172, 22),
    ("The Darning Hour", "Viktor Lang", 1095, "2018-12-04", 144, 16),
    ("Vinegar and Time", "Rosalind Pike", 1445, "2019-07-16", 188, 13),
    ("Paint the Hall First", "Viktor Lang", 1275, "2016-03-15", 160, 17),
];

/// The ratings: book, member, stars, comment. Three books a category are rated.
pub(super) const RATINGS: [(i64, i64, i64, &str); 29] = [
    (1, 2, 5, "Could not put it down."),
    (1, 3, 4, "Lovely prose, slow middle."),
    (2, 4, 4, ""),
    (3, 5, 3, "Clever, but cold."),
    (3, 6, 4, ""),
    (11, 2, 4, "The bell rings true."),
    (11, 4, 5, "Best of the series."),
    (11, 7, 4, ""),
    (12, 3, 3, "I guessed the ending."),
    (13, 6, 5, "A masterpiece of patience."),
    (21, 5, 5, "You will never look at a wall the same way."),
    (21, 7, 4, ""),
    (22, 2, 4, "Clear as water."),
    (24, 3, 5, "Eight arms up!"),
    (24, 4, 2, "Too many anecdotes."),
    (31, 6, 4, "Long, rich & rewarding."),
    (31, 2, 4, ""),
    (32, 7, 3, ""),
    (34, 5, 5, "Reads like a novel."),
    (41, 2, 5, "It says what it does."),
    (41, 3, 5, "Required reading."),
    (41, 5, 4, ""),
    (42, 4, 5, "Every team should own a copy."),
    (42, 6, 4, "Good examples."),
    (44, 7, 3, "Some chapters need pruning."),
    (51, 3, 4, "My new weeknight standard."),
    (52, 6, 5, "The crust!"),
    (52, 2, 4, ""),
    (54, 5, 3, "Pretty pictures."),
];

/// An order of the first days: member, moment, status, delivery, payment, lines of book and quantity.
pub(super) type FirstOrder =
    (i64, &'static str, &'static str, &'static str, &'static str, &'static [(i64, i64)]);

/// The orders.
pub(super) const ORDERS: [FirstOrder; 8] = [
    (2, "2025-08-04 09:12:40", "delivered", "standard", "card", &[(41, 1), (22, 1)]),
    (3, "2025-08-19 17:45:03", "delivered", "express", "card", &[(43, 1)]),
    (4, "2025-09-02 12:30:11", "delivered", "standard", "invoice", &[(11, 2), (13, 1), (15, 1)]),
    (5, "2025-09-21 20:05:59", "cancelled", "standard", "card", &[(45, 1)]),
    (2, "2025-10-10 08:01:27", "sent", "express", "paypal", &[(1, 1), (31, 1), (52, 2)]),
    (6, "2025-10-15 14:22:18", "sent", "standard", "card", &[(42, 3)]),
    (7, "2025-10-28 19:38:44", "packed", "standard", "invoice", &[(21, 1), (24, 1)]),
    (3, "2025-11-01 10:10:10", "received", "standard", "card", &[(6, 1), (57, 1)]),
];

/// What the backs of a category's books say: two openings and two endings, mixed.
pub(super) const BLURBS: [([&str; 2], [&str; 2]); 6] = [
    (
        ["A family returns to the house it swore to forget.", "Two strangers share a map and a secret."],
        ["A novel of weather, memory and forgiveness.", "Tender, funny & quietly devastating."],
    ),
    (
        ["A body, a locked door and a clock that runs backwards.", "Someone in the village is lying."],
        ["You will suspect everyone.", "A puzzle that plays fair to the final page."],
    ),
    (
        ["Close looking at things most of us walk past.", "A scientist opens her notebooks."],
        ["With 40 drawings by the author.", "Wonder on every page, jargon on none."],
    ),
    (
        ["From forgotten archives comes a story of ordinary people.", "A century told through one street."],
        ["Vivid, careful and humane.", "With maps & a chronology."],
    ),
    (
        ["Ideas first, syntax later.", "Twenty years of practice in one readable volume."],
        ["Exercises with answers.", "For beginners <and> old hands."],
    ),
    (
        ["Recipes and repairs that work on a Tuesday evening.", "Few ingredients, much patience."],
        ["Every dish tested at home.", "With a chapter for rainy days."],
    ),
];

/// The ids of a category's books that are rated from the first day.
pub(crate) fn rated_books(category: usize) -> Vec<i64> {
    let first = category as i64 * 10 + 1;
    let mut books: Vec<i64> = RATINGS.iter().map(|rating| rating.0).collect();
    books.retain(|book| (first..first + 10).contains(book));
    books.dedup();
    books
}
