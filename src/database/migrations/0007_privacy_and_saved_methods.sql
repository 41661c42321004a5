-- What customers may ask of the shop about themselves, and the ways to pay that they have kept.

alter table customers
  add column vat_exempt boolean not null default false,   -- set by staff; `state` repeats it
  add column email_verified_at timestamptz,               -- null: nobody has shown yet that mail to this address is read
  -- The address that a mailed link will make the customer's: only the link's digest, and until when.
  add column email_wanted text check (email_wanted = lower(email_wanted) and email_wanted <> ''),
  add column email_digest text,
  add column email_expires_at timestamptz;

-- A guest's session after its login, for a few seconds: what that guest pressed before the login goes to the customer.
alter table sessions add column became bigint references customers on delete cascade;
alter table sessions add column device text not null default '';   -- the browser's own words for itself, of a login

-- `due`: the customer has asked for it, and the order is still under way.
alter table orders add column personal_data text not null default 'kept'
  check (personal_data in ('kept', 'due', 'erased'));
create index orders_to_erase on orders (id) where personal_data = 'due';
create index orders_of_guests on orders (lower(billing ->> 'email')) where customer_id is null;

-- What the provider keeps for a customer, under its token. Never a number that pays elsewhere.
create table payment_tokens (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers on delete cascade,
  method text not null,                  -- the payment method that can charge it
  environment text not null check (environment in ('sandbox', 'live')),
  token text not null check (token <> ''),
  kind text not null check (kind in ('card', 'wallet')),
  brand text not null default '',
  last4 text not null default '' check (last4 ~ '^([0-9]{4})?$'),
  expires text not null default '' check (expires ~ '^([0-9]{4}-[0-9]{2})?$'),   -- a card's last month
  account text not null default '',      -- of a wallet: the address it belongs to
  is_default boolean not null default false,
  created_at timestamptz not null,
  unique (method, environment, token)
);
create unique index payment_tokens_default on payment_tokens (customer_id) where is_default;
create index payment_tokens_by_customer on payment_tokens (customer_id, id);

-- Who has looked at personal data, or asked for it, and whose.
create table access_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  who text not null,                     -- customer:<id>, or the name of a staff member
  action text not null,
  subject text not null                  -- customer:<id>, order:<id>, or how a list was asked for
);
create index access_log_by_subject on access_log (subject, id);
