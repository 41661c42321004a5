-- Listings and searches are answered from an index that each process holds in memory (docs/decisions/0010): what the
-- database kept for them goes, and it notes which products changed, so that the index follows without reading all.

drop index products_listing, products_by_price, products_by_date, products_by_sales, products_by_rating, products_featured;
alter table products drop column search;

-- A search for a number that is printed on a product: whole, or the beginning of it.
create index products_by_sku_text on products (lower(sku) text_pattern_ops);

-- Products that each version of the catalogue changed. Null: more than is worth listing, everything is to be read again.
create table catalog_changes (
  version bigint not null,
  product_id bigint
);
create index catalog_changes_by_version on catalog_changes (version);
