import { type Kysely, sql, type Transaction } from 'kysely'
import type { NewRow, Row, Schema } from './schema.ts'

type Db = Kysely<Schema>
export type DownloadPermissionRow = Row<'download_permissions'>

/** Opens files to an order; those that are open already stay as they are, with what was fetched of them. */
export async function insertDownloads(
  tx: Transaction<Schema>,
  rows: readonly NewRow<'download_permissions'>[],
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('download_permissions')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['order_id', 'product_id', 'file_id']).doNothing())
    .execute()
}

/** A permission with where its file is now, and how its order stands. */
export type Download = DownloadPermissionRow & {
  url: string | null
  order_status: Row<'orders'>['status']
  product_name: string | null
  product_slug: string | null
}

const downloads = sql`
  select d.*, o.status as order_status, p.name as product_name,
    case when p.status = 'publish' then coalesce(parent.slug, p.slug) end as product_slug,
    (select file ->> 'url' from jsonb_array_elements(p.downloads) with ordinality as list (file, place)
      where coalesce(nullif(file ->> 'id', ''), 'file-' || place) = d.file_id limit 1) as url
  from download_permissions d join orders o on o.id = d.order_id
    left join products p on p.id = d.product_id left join products parent on parent.id = p.parent_id`

export async function findDownload(db: Db, token: string): Promise<Download | undefined> {
  const { rows } = await sql<Download>`${downloads} where d.token = ${token}`.execute(db)
  return rows[0]
}

/** The files that a customer may fetch now, those of the newest order first. */
export async function findCustomersDownloads(db: Db, customerId: number, now: Date): Promise<Download[]> {
  const { rows } = await sql<Download>`${downloads} where o.customer_id = ${customerId}::bigint and ${open(now)}
    order by d.order_id desc, d.id`.execute(db)
  return rows
}

/** The files that an order opens now. */
export async function findOrdersDownloads(db: Db, orderId: number, now: Date): Promise<Download[]> {
  const { rows } = await sql<Download>`${downloads} where d.order_id = ${orderId}::bigint and ${open(now)}
    order by d.id`.execute(db)
  return rows
}

const open = (now: Date) => sql`o.status in ('processing', 'completed')
  and (d.remaining is null or d.remaining > 0) and (d.expires_at is null or d.expires_at > ${now})`

/**
 * Counts one fetch of a file, if one is left and its time is not over: one statement, so that as many fetches at once as
 * there are left succeed and no more.
 */
export async function countDownload(db: Db, id: number, now: Date): Promise<boolean> {
  const { rows } = await sql`update download_permissions
    set remaining = remaining - 1, fetched = fetched + 1, last_fetched_at = ${now}
    where id = ${id}::bigint and (remaining is null or remaining > 0) and (expires_at is null or expires_at > ${now})
    returning id`.execute(db)
  return rows.length === 1
}
