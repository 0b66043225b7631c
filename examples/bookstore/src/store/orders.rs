//! Orders, their lines and their sums.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::carts::CartLine;
use super::statements::run;

/// The states of an order, in the order it passes them.
pub(crate) const STATUSES: [&str; 5] = ["received", "packed", "sent", "delivered", "cancelled"];

/// Goods for this much, in cents, get the discount.
pub(crate) const DISCOUNT_FROM: i64 = 10_000;
const DISCOUNT_PERCENT: i64 = 5;
pub(crate) const FREE_POSTAGE_FROM: i64 = 5_000;
pub(crate) const STANDARD_POSTAGE: i64 = 395;
pub(crate) const EXPRESS_POSTAGE: i64 = 950;

/// What a cart or an order costs, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) goods: i64,
    pub(crate) discount: i64,
    pub(crate) postage: i64,
}

/// How sums are computed; other than the default only where a fault says so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tariff {
    pub(crate) discount_from: i64,
    pub(crate) free_postage: bool,
    pub(crate) count_copies: bool,
}

/// An order without its lines.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) id: i64,
    pub(crate) member_id: i64,
    pub(crate) member: String,
    pub(crate) placed: String,
    pub(crate) status: String,
    pub(crate) delivery: String,
    pub(crate) payment: String,
    pub(crate) address: String,
    pub(crate) note: String,
    pub(crate) sums: Sums,
    pub(crate) copies: i64,
}

/// Some copies of a book in an order, as they were when it was placed.
#[derive(Debug)]
pub(crate) struct OrderLine {
    pub(crate) book_id: i64,
    pub(crate) title: String,
    pub(crate) price: i64,
    pub(crate) quantity: i64,
    pub(crate) gift: bool,
}

/// What a member enters to place an order.
#[derive(Debug)]
pub(crate) struct OrderDraft {
    pub(crate) delivery: String,
    pub(crate) payment: String,
    pub(crate) address: String,
    pub(crate) note: String,
}

impl Default for Tariff {
    fn default() -> Self {
        Tariff { discount_from: DISCOUNT_FROM, free_postage: true, count_copies: true }
    }
}

impl Sums {
    /// The sums of lines of price and quantity.
    pub(crate) fn of(lines: &[(i64, i64)], delivery: &str) -> Sums {
        Sums::by(Tariff::default(), lines, delivery)
    }

    pub(crate) fn by(tariff: Tariff, lines: &[(i64, i64)], delivery: &str) -> Sums {
        let copies = |quantity: i64| if tariff.count_copies { quantity } else { 1 };
        let goods: i64 = lines.iter().map(|&(price, quantity)| price * copies(quantity)).sum();
        let discount = if goods >= tariff.discount_from { goods * DISCOUNT_PERCENT / 100 } else { 0 };
        let postage = match delivery {
            "express" => EXPRESS_POSTAGE,
            _ if goods >= FREE_POSTAGE_FROM && tariff.free_postage => 0,
            _ => STANDARD_POSTAGE,
        };
        Sums { goods, discount, postage }
    }

    pub(crate) fn total(self) -> i64 {
        self.goods - self.discount + self.postage
    }
}

const SELECT: &str = "SELECT o.id, o.member_id, m.name, o.placed, o.status, o.delivery, o.payment, o.address,
    o.note, o.goods, o.discount, o.postage,
    (SELECT ifnull(sum(quantity), 0) FROM order_lines WHERE order_id = o.id)
    FROM orders o JOIN members m ON m.id = o.member_id ";

impl Order {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Order {
            id: row.get(0)?,
            member_id: row.get(1)?,
            member: row.get(2)?,
            placed: row.get(3)?,
            status: row.get(4)?,
            delivery: row.get(5)?,
            payment: row.get(6)?,
            address: row.get(7)?,
            note: row.get(8)?,
            sums: Sums { goods: row.get(9)?, discount: row.get(10)?, postage: row.get(11)? },
            copies: row.get(12)?,
        })
    }

    pub(crate) fn find(db: &Connection, id: i64) -> rusqlite::Result<Option<Order>> {
        db.prepare_cached(&format!("{SELECT} WHERE o.id = ?1"))?.query_row([id], Order::read).optional()
    }

    /// A member's orders, newest first.
    pub(crate) fn of_member(db: &Connection, member: i64) -> rusqlite::Result<Vec<Order>> {
        db.prepare_cached(&format!("{SELECT} WHERE o.member_id = ?1 ORDER BY o.id DESC"))?
            .query_map([member], Order::read)?
            .collect()
    }

    /// All orders, or those of a status, newest first.
    pub(crate) fn all(db: &Connection, status: Option<&str>) -> rusqlite::Result<Vec<Order>> {
        db.prepare_cached(&format!("{SELECT} WHERE ?1 IS NULL OR o.status = ?1 ORDER BY o.id DESC"))?
            .query_map([status], Order::read)?
            .collect()
    }

    pub(crate) fn set_status(db: &Connection, id: i64, status: &str) -> rusqlite::Result<()> {
        run(db, "UPDATE orders SET status = ?2 WHERE id = ?1", params![id, status])
    }
}

impl OrderLine {
    pub(crate) fn of_order(db: &Connection, order: i64) -> rusqlite::Result<Vec<OrderLine>> {
        db.prepare_cached(
            "SELECT book_id, title, price, quantity, gift FROM order_lines WHERE order_id = ?1 ORDER BY id",
        )?
        .query_map([order], |row| {
            Ok(OrderLine {
                book_id: row.get(0)?,
                title: row.get(1)?,
                price: row.get(2)?,
                quantity: row.get(3)?,
                gift: row.get(4)?,
            })
        })?
        .collect()
    }

    pub(crate) fn add(db: &Connection, order: i64, line: &CartLine) -> rusqlite::Result<()> {
        run(
            db,
            "INSERT INTO order_lines (order_id, book_id, title, price, quantity, gift)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![order, line.book_id, line.title, line.price, line.quantity, line.gift],
        )
    }

    /// Takes the copies of a line from the stock, which may be short of them.
    pub(crate) fn take_from_stock(db: &Connection, line: &CartLine) -> rusqlite::Result<()> {
        run(db, "UPDATE books SET stock = max(stock - ?2, 0) WHERE id = ?1", [line.book_id, line.quantity])
    }
}

impl OrderDraft {
    /// Adds an order, without its lines as yet.
    pub(crate) fn add(&self, db: &Connection, member: i64, sums: Sums, now: &str) -> rusqlite::Result<i64> {
        run(db,
            "INSERT INTO orders (member_id, placed, status, delivery, payment, address, note, goods, discount,
                postage) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                member,
                now,
                STATUSES[0],
                self.delivery,
                self.payment,
                self.address,
                self.note,
                sums.goods,
                sums.discount,
                sums.postage
            ],
        )?;
        Ok(db.last_insert_rowid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_follow_the_tariff() {
        assert_eq!(Sums::of(&[(1000, 2)], "standard"), Sums { goods: 2000, discount: 0, postage: 395 });
        assert_eq!(Sums::of(&[(2500, 2)], "standard").postage, 0);
        let large = Sums::of(&[(2500, 4)], "express");
        assert_eq!((large.discount, large.postage, large.total()), (500, 950, 10_450));
    }
}
