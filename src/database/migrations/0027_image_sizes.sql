-- Which files of a picture are on disk: 'first' has WebP of `widths` only, and a job makes the others; 'made' has all, and pages
-- that show the picture are about to be made again; 'all' has WebP and AVIF of `widths`.
alter table images add column sizes text not null default 'all' check (sizes in ('first', 'made', 'all'));
create index images_unfinished on images (sizes) where sizes <> 'all';
