-- Every version of the terms page that was shown beside a button that buys, word for word: orders name theirs by its digest.
create table terms_versions (
  version text primary key,    -- SHA-256 of language, title, introduction and text
  language text not null,      -- in which it is written
  title text not null,
  introduction text not null,
  text text not null,          -- Markdown, as in the content folder
  first_shown_at timestamptz not null
);
create function terms_versions_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'versions of the terms are append-only';
end $$;
create trigger terms_versions_append_only before update or delete or truncate on terms_versions
  for each statement execute function terms_versions_are_append_only();
-- Which version the shopper agreed to, and when: {"version", "language", "at"}. Null: the shop asked for no agreement, or does not know.
alter table orders add column terms jsonb check (jsonb_typeof(terms) = 'object');
