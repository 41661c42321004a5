-- Visits of the shop: counted for good, kept in detail for two days at most. Nothing here names a person or a device.

-- What the ids of a day's visitors are made with. Without it, and it is gone after two days, no id can be made again.
create table stat_salt (
  day date primary key,                  -- as the day is in the shop's time zone
  salt bytea not null check (length(salt) = 32)
);

-- The visitors of today and yesterday.
create table stat_visit (
  day date not null,
  vid text not null,                     -- keyed digest of network and agent, of this day alone
  first_at timestamptz not null,
  last_at timestamptz not null,
  visits integer not null,               -- each begins after half an hour without a view, or by coming from elsewhere
  hits integer not null,
  entry_path text not null,
  exit_path text not null,
  -- of the last visit; the labels are those of the orders' attribution
  source text not null,
  medium text not null,
  campaign text not null,
  channel text not null,
  primary key (day, vid)
);

-- Which pages and searches those visitors have had, so that each is counted once.
create table stat_seen (
  day date not null,
  vid text not null,
  what text not null,
  primary key (day, vid, what)
);

-- Who is here now. Worth nothing a few minutes later, so it is not logged by the database either.
create unlogged table stat_online (
  vid text primary key,
  last_at timestamptz not null,
  path text not null
);

-- All that is kept: how many, by day and by one property at a time.
create table stat_count (
  dimension text not null,
  grain text not null check (grain in ('day', 'month')),
  day date not null,                     -- of a month: its first
  value text not null,
  detail text not null default '',
  visitors bigint not null default 0,
  visits bigint not null default 0,
  views bigint not null default 0,
  primary key (dimension, grain, day, value, detail)
);

create table stat_excluded (
  day date not null,
  reason text not null,
  n bigint not null default 0,
  primary key (day, reason)
);
