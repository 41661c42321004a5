import { type MediaRecord, mediaRecord } from '#contract/catalog/rest-media.ts'
import { urls } from '#contract/shared/urls.ts'
import type { MediaRow } from '#database/catalog/media-rows.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { uploadPrefix } from '#shop/content/media-library.ts'
import { imageWidths } from '#shop/content/resize-images.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import type { Visit } from '../../http/visit.ts'
import { escapeHtml } from '../../notices/cart-notices.tsx'

/** The common declaration of all calls of the media library. */
export const mediaPolicy = {
  namespace: 'wp/v2',
  door: 'rest',
  output: 'json',
  identity: 'shop-manager',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
} as const

/** Rejects callers other than shop managers. @returns null for those */
export async function refusedForLibrary(visit: Visit, code: string): Promise<Response | null> {
  const { customerId, role } = await visit.session()
  if (role !== null && mayActAs(role, 'shop_manager')) return null
  const status = customerId === null ? 401 : 403
  return refuse({ door: 'rest' }, status, code, 'Only those who run the shop may do this.')
}

export const noSuchPicture = () => refuse({ door: 'rest' }, 404, 'rest_post_invalid_id', 'There is no such picture.')

/** Returns an image as the platform's API represents it. */
export function recordOf(visit: Visit, row: MediaRow): MediaRecord {
  const { id, hash, source, width, height, alt, widths, sizes: made } = row
  const address = (at: number) => visit.app.tools.publicUrl + urls.media(hash, at, 'webp')
  const sizes = widths.map((at) => ({
    file: `${hash}-${at}.webp`,
    width: at,
    height: Math.max(1, Math.round((height * at) / width)),
    mime_type: 'image/webp',
    source_url: address(at),
  }))
  const largest = sizes.at(-1)
  const name = source.startsWith(uploadPrefix) ? source.slice(uploadPrefix.length) : (source.split('/').at(-1) ?? '')
  const title = name.replace(/\.\w{1,5}$/, '') || name
  return mediaRecord.parse({
    id,
    slug: hash.slice(0, 16),
    type: 'attachment',
    status: 'inherit',
    link: largest?.source_url ?? '',
    title: { rendered: escapeHtml(title) },
    caption: { rendered: '' },
    description: { rendered: '' },
    alt_text: alt,
    media_type: 'image',
    mime_type: 'image/webp',
    media_details: {
      width,
      height,
      file: largest?.file ?? '',
      sizes: Object.fromEntries(sizes.map((size) => [String(size.width), size])),
    },
    post: null,
    source_url: largest?.source_url ?? '',
    missing_image_sizes: (made === 'first' || widths.length === 0 ? imageWidths.filter((at) => at < width) : [])
      .filter((at) => !widths.includes(at))
      .map(String),
  })
}
