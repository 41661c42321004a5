-- The memory of translations: what can be said, and how it is said in each language.
create table translation_originals (
  id bigint generated always as identity primary key,
  -- interface: words of the shop's own pages and messages, English; content: what the merchant wrote, in the language of the
  -- shop; slug: a part of an address
  area text not null check (area in ('interface', 'content', 'slug')),
  -- of a slug: product, category, tag, page or base; else where two equal originals differ in meaning
  context text not null default '',
  key_hash bytea not null,               -- sha256 of the normalised original
  original text not null check (char_length(original) <= 20000),
  markup boolean not null default false, -- whether the original is the inner markup of an element
  first_seen_path text not null default '',
  last_seen_on date not null default current_date,
  created_at timestamptz not null default now(),
  unique (area, context, key_hash)
);
create index translation_originals_words on translation_originals using gin (to_tsvector('simple', original));

create table translations (
  original_id bigint not null references translation_originals on delete cascade,
  language text not null,                -- the tag as the shop has it: de-DE
  form text not null default '' check (form in ('', 'zero', 'one', 'two', 'few', 'many', 'other')),
  translated text not null default '' check (char_length(translated) <= 40000),
  -- 0 not translated, 1 by a machine, 2 by a person, 3 filled in from a near-identical original
  status smallint not null default 0 check (status between 0 and 3),
  engine text not null default '',       -- seed, import, deepl, google, libretranslate; empty: a person
  revision integer not null default 1,
  updated_by bigint references customers on delete set null,
  updated_at timestamptz not null default now(),
  primary key (original_id, language, form)
);
create index translations_by_language on translations (language, status, original_id);

-- What was said before, so that it can be said again.
create table translation_history (
  id bigint generated always as identity primary key,
  original_id bigint not null references translation_originals on delete cascade,
  language text not null,
  form text not null default '',
  revision integer not null,
  translated text not null,
  status smallint not null,
  engine text not null default '',
  changed_by bigint references customers on delete set null,
  changed_at timestamptz not null default now()
);
create index translation_history_of on translation_history (original_id, language, form, revision);

-- Originals that a machine is to translate.
create table translation_queue (
  original_id bigint not null references translation_originals on delete cascade,
  language text not null,
  state text not null default 'queued' check (state in ('queued', 'translating', 'failed')),
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  fault text not null default '',
  queued_at timestamptz not null default now(),
  primary key (original_id, language)
);
create index translation_queue_due on translation_queue (not_before) where state <> 'failed';

-- Characters that were sent to each engine on each day, as the day is in the shop's time zone.
create table translation_spending (
  day date not null,
  engine text not null,
  characters bigint not null default 0,
  calls integer not null default 0,
  primary key (day, engine)
);

-- Which of the files of translations that come with the shop have been taken in.
create table translation_seeds (
  language text not null,
  file text not null,
  digest text not null,
  primary key (language, file)
);

-- The language in which the order was placed: its messages are written in it. Empty: the shop's own.
alter table orders add column language text not null default '';
alter table customers add column language text not null default '';

-- Who may correct translations, and nothing else of the shop.
alter table customers drop constraint customers_role_check;
alter table customers add constraint customers_role_check
  check (role in ('customer', 'translator', 'shop_manager', 'administrator'));
