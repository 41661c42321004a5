-- A row is written in the transaction that causes the message; the job that sends it fills in the rest.
alter table sent_mail add column about bigint;    -- the refund, note or product it speaks of
alter table sent_mail add column skipped text;    -- why it was not sent: disabled, nobody
create index sent_mail_by_order on sent_mail (order_id, kind);
