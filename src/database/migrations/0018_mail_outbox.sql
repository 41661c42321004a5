-- A message about an order waits here for a process of the shop, which takes it and closes its row; the job queue has what failed.
alter table sent_mail add column waits_since timestamptz; -- null: nobody has to take it any more
alter table sent_mail add column taken_at timestamptz;    -- while a process is at it
alter table sent_mail add column traceparent text;        -- of whoever put it down
create index sent_mail_waiting on sent_mail (order_id, message_id) where waits_since is not null;
create index sent_mail_taken on sent_mail (taken_at) where taken_at is not null;
