-- A refund of nothing: pieces that had cost nothing, such as a free gift, go back on the shelf.
alter table refunds drop constraint refunds_amount_check;
alter table refunds add constraint refunds_amount_check check (amount > 0 or (amount = 0 and restock and not by_provider));
