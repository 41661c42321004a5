-- The ID that a product had in the file of another shop. It identifies the product when that file is imported again,
-- where it has no SKU and another product had the ID here.
alter table products add column imported_id bigint;
create index products_imported on products (imported_id) where imported_id is not null;

-- The mark by which a product file of this shop is told from a file of another shop. A backup keeps it.
create table shop_mark (
  singleton boolean primary key default true check (singleton),
  mark uuid not null default gen_random_uuid()
);
insert into shop_mark default values;
