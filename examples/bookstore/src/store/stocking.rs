//! Fills a new database. All dates are fixed, so that it does not depend on the day.

use rusqlite::{Connection, params};

use super::catalogue::{BLURBS, CATEGORIES, MEMBERS, OLDER_TITLES, ORDERS, RATINGS, TITLES};
use super::orders::Sums;
use super::passwords::hash_password;
use super::statements::run;

/// Puts in the categories, books, members, ratings and orders of the first day.
pub(super) fn fill(db: &Connection) -> rusqlite::Result<()> {
    for name in CATEGORIES {
        run(db, "INSERT INTO categories (name) VALUES (?1)", [name])?;
    }
    fill_books(db)?;
    fill_members(db)?;
    for (index, (book, member, stars, comment)) in RATINGS.iter().enumerate() {
        let rated = format!("2025-10-{:02} 12:00:00", index + 1);
        run(
            db,
            "INSERT INTO ratings (book_id, member_id, stars, comment, rated) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![book, member, stars, comment, rated],
        )?;
    }
    fill_orders(db)
}

fn fill_books(db: &Connection) -> rusqlite::Result<()> {
    let mut insert = db.prepare(
        "INSERT INTO books (title, author, category_id, price, isbn, published, pages, stock, blurb)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let first = TITLES.iter().enumerate().map(|(place, title)| (place / 10, title));
    let older = OLDER_TITLES.iter().enumerate().map(|(place, title)| (place / 4, title));
    for (index, (category, book)) in first.chain(older).enumerate() {
        let (title, author, price, published, pages, stock) = book;
        let (openings, endings) = BLURBS[category];
        let blurb = format!("{} {}", openings[index % 2], endings[index / 2 % 2]);
        let isbn = format!("978-1-4028-{:04}-{}", 1017 + index * 97, index % 10);
        insert.execute(params![
            title,
            author,
            category as i64 + 1,
            price,
            isbn,
            published,
            pages,
            stock,
            blurb
        ])?;
    }
    Ok(())
}

fn fill_members(db: &Connection) -> rusqlite::Result<()> {
    for (index, (username, password, name, country)) in MEMBERS.iter().enumerate() {
        let salt = format!("first-day-{username}");
        run(
            db,
            "INSERT INTO members (username, salt, password, role, name, email, phone, address, country,
                contact, newsletter, joined)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            params![
                username,
                salt,
                hash_password(&salt, password),
                if index == 0 { "admin" } else { "member" },
                name,
                format!("{username}@example.org"),
                format!("+44 20 7946 {:04}", 101 + index * 7),
                format!("{} Reading Lane\nBookham BK{} 4AA", 10 + index * 3, index + 1),
                country,
                if index % 2 == 0 { "email" } else { "post" },
                index % 3 == 1,
                format!("2025-07-{:02} 08:30:00", 10 + index),
            ],
        )?;
    }
    Ok(())
}

fn fill_orders(db: &Connection) -> rusqlite::Result<()> {
    for (member, placed, status, delivery, payment, lines) in ORDERS {
        let priced: Vec<(i64, i64)> = lines.iter().map(|&(book, n)| (price_of(book), n)).collect();
        let sums = Sums::of(&priced, delivery);
        run(
            db,
            "INSERT INTO orders (member_id, placed, status, delivery, payment, address, note, goods,
                discount, postage)
             VALUES (?1, ?2, ?3, ?4, ?5, (SELECT address FROM members WHERE id = ?1), '', ?6, ?7, ?8)",
            params![member, placed, status, delivery, payment, sums.goods, sums.discount, sums.postage],
        )?;
        let order = db.last_insert_rowid();
        for &(book, quantity) in lines {
            run(
                db,
                "INSERT INTO order_lines (order_id, book_id, title, price, quantity, gift)
                 SELECT ?1, id, title, price, ?3, 0 FROM books WHERE id = ?2",
                params![order, book, quantity],
            )?;
        }
    }
    Ok(())
}

fn price_of(book: i64) -> i64 {
    TITLES[book as usize - 1].2
}
