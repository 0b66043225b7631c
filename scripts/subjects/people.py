"""The people of the harbour, who use all subjects: what they type, what they send, how they look and wait.

Whoever has an account has the same password and e-mail address everywhere, and they stand here alone: run as a program, this prints
them as lines for a shell, PASSWORD_ADA=... and ADDRESS_ADA=..., and the `set-up` scripts make the accounts with those.
"""

import shlex
import time

from browser import Missing

# By account. A subject may spell the name with a capital: see password().
PASSWORDS = {
    "alan": "turing-enigma",
    "ada": "lovelace-engine",
    "grace": "hopper-cobol",
    "mary": "somerville-moon",
    "kate": "sheppard-1893",
}

# Where they get mail.
ADDRESSES = {account: f"{account}@example.org" for account in PASSWORDS}

# What somebody changes hers to, where she tries that.
NEW_PASSWORDS = {"grace": "cobol-nineteen59"}

# A picture of one red pixel.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415478da63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)

# A red picture of a few pixels, as a camera would write it.
PHOTO = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043001b12141714111b1716171e1c1b2028422b28252528513a3d3042605565645f555d5b6a7899816a7190"
    "735b5d85b586909ea3abadab6780bcc9baa6c799a8aba4ffdb0043011c1e1e2823284e2b2b4ea46e5d6ea4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4"
    "a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4ffc00011080008000803012200021101031101ffc4001f0000010501010101010100000000000000"
    "000102030405060708090a0bffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c11552d1f024"
    "33627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a9293"
    "9495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffc400"
    "1f0100030101010101010101010000000000000102030405060708090a0bffc400b51100020102040403040705040400010277000102031104052131061241510761"
    "711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a63646566676869"
    "6a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4"
    "e5e6e7e8e9eaf2f3f4f5f6f7f8f9faffda000c03010002110311003f00a345145739ec1fffd9"
)


def password(user):
    return PASSWORDS[user.lower()]


def address(user):
    return ADDRESSES[user.lower()]


def mistyped(user):
    """Her password, but for the last letter."""
    return password(user)[:-1]


def new_password(user):
    return NEW_PASSWORDS[user.lower()]


def think():
    """Applications tell moments apart by the second, and somebody who types takes longer than that."""
    time.sleep(1.05)


def expect(browser, text):
    """The page that is open must say this."""
    if text not in browser.page.text:
        raise Missing(f"'{text}' is not on {browser.page.url}")


def expect_in(answer, text):
    """What a script of the page was answered must say this."""
    if text not in answer:
        raise Missing(f"'{text}' is not in {answer[:300]}")


if __name__ == "__main__":
    for account, secret in PASSWORDS.items():
        print(f"PASSWORD_{account.upper()}={shlex.quote(secret)}")
        print(f"ADDRESS_{account.upper()}={shlex.quote(ADDRESSES[account])}")
