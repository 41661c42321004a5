import type postgres from 'postgres'
import { catalogVersionKey } from './version.ts'

/** How the catalogue's queries hand out products: JSON that PostgreSQL has put together, one answer for a page. */

export type StoredImage = {
  hash: string
  width: number
  height: number
  alt: string
  placeholder: string
  widths: readonly number[]
}

/** What prices a card or page needs; whole minor units as entered. */
export type StoredPrices = {
  regularPrice: number | null
  /** What is asked now, and for variable and grouped products the range of it. Null: not for sale. */
  minPrice: number | null
  maxPrice: number | null
  onSale: boolean
  /** The regular price that all variations share; null when they differ, or for other products. */
  sharedRegular: number | null
  taxStatus: 'taxable' | 'shipping' | 'none'
  taxClass: string
}

export type CardRow = StoredPrices & {
  id: number
  type: 'simple' | 'variable' | 'grouped' | 'external'
  sku: string
  name: string
  slug: string
  featured: boolean
  stock: 'instock' | 'outofstock' | 'onbackorder'
  virtual: boolean
  downloadable: boolean
  soldIndividually: boolean
  hasDefaults: boolean
  averageRating: number
  ratingCount: number
  externalUrl: string
  buttonText: string
  categoryIds: readonly number[]
  tags: readonly { name: string; slug: string }[]
  image: StoredImage | null
}

/** `i` as JSON. */
export const imageJson = `json_build_object('hash', i.hash, 'width', i.width, 'height', i.height, 'alt', i.alt,
  'placeholder', i.placeholder, 'widths', i.widths)`

/** The members of a card, for the product `p`. */
export const cardMembers = `
  'id', p.id, 'type', p.type, 'sku', coalesce(p.sku, ''), 'name', p.name, 'slug', p.slug, 'featured', p.featured,
  'stock', p.stock_status, 'virtual', p.virtual, 'downloadable', p.downloadable, 'soldIndividually', p.sold_individually,
  'averageRating', p.average_rating, 'ratingCount', p.rating_count,
  'externalUrl', p.external_url, 'buttonText', p.button_text,
  'regularPrice', p.regular_price, 'minPrice', p.min_price, 'maxPrice', p.max_price, 'onSale', p.on_sale,
  'taxStatus', p.tax_status, 'taxClass', p.tax_class,
  'sharedRegular', case when p.type = 'variable' and p.on_sale then (
    select case when min(v.regular_price) = max(v.regular_price) then min(v.regular_price) end
    from products v where v.parent_id = p.id and v.status = 'publish') end,
  'hasDefaults', p.type = 'variable' and exists (
    select from product_attributes a where a.product_id = p.id and a.default_option <> ''),
  'categoryIds', (select coalesce(json_agg(pc.category_id order by pc.category_id), '[]')
    from product_categories pc where pc.product_id = p.id),
  'tags', (select coalesce(json_agg(json_build_object('name', t.name, 'slug', t.slug) order by t.name), '[]')
    from product_tags pt join tags t on t.id = pt.tag_id where pt.product_id = p.id),
  'image', (select ${imageJson} from product_images pi join images i on i.id = pi.image_id
    where pi.product_id = p.id order by pi.position limit 1)`

/** Published products by id, in the order of the ids, and the version of the catalogue they were read from. */
export async function cardsByIds(
  sql: postgres.Sql,
  ids: readonly number[],
): Promise<{ version: number; cards: CardRow[] }> {
  const rows = await sql<{ version: number | null; cards: CardRow[] }[]>`
    select (select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}) as version,
      (select coalesce(json_agg(json_build_object(${sql.unsafe(cardMembers)}) order by wanted.nr), '[]')
        from unnest(${[...ids]}::bigint[]) with ordinality as wanted (id, nr) join products p on p.id = wanted.id
        where p.status = 'publish' and p.parent_id is null) as cards`
  return { version: rows[0]?.version ?? 0, cards: rows[0]?.cards ?? [] }
}
