import { z } from 'zod'

/** An image of a variation, in the renditions that gallery scripts use. `false` removes an attribute. */
export const variationImage = z.object({
  title: z.string(),
  caption: z.string(),
  url: z.string(),
  alt: z.string(),
  src: z.string(),
  src_w: z.number(),
  src_h: z.number(),
  srcset: z.union([z.string(), z.literal(false)]),
  sizes: z.union([z.string(), z.literal(false)]),
  /** False: only the WebP files of `srcset` exist so far. Left out: AVIF files exist too. */
  avif: z.literal(false).optional(),
  full_src: z.string(),
  full_src_w: z.number(),
  full_src_h: z.number(),
  gallery_thumbnail_src: z.string(),
  gallery_thumbnail_src_w: z.number(),
  gallery_thumbnail_src_h: z.number(),
  thumb_src: z.string(),
  thumb_src_w: z.number(),
  thumb_src_h: z.number(),
})

/** A variation in the form's `data-product_variations`, and in the response of `get_variation`. */
export const wireVariation = z.object({
  variation_id: z.number().int(),
  /** `attribute_<slug>` → value, '' for any. */
  attributes: z.record(z.string(), z.string()),
  sku: z.string(),
  /** In the shop's display tax mode, as decimal numbers of major units; '' without a price. */
  display_price: z.union([z.number(), z.literal('')]),
  display_regular_price: z.union([z.number(), z.literal('')]),
  price_html: z.string(),
  availability_html: z.string(),
  is_in_stock: z.boolean(),
  is_purchasable: z.boolean(),
  is_sold_individually: z.enum(['yes', 'no']),
  is_virtual: z.boolean(),
  is_downloadable: z.boolean(),
  backorders_allowed: z.boolean(),
  min_qty: z.number().int(),
  /** '' without a limit. */
  max_qty: z.union([z.number().int(), z.literal('')]),
  /** False disables the option in the selects. */
  variation_is_active: z.boolean(),
  /** False shows the text for an unavailable variation. */
  variation_is_visible: z.boolean(),
  variation_description: z.string(),
  weight: z.string(),
  weight_html: z.string(),
  /** Each '' without a measurement. */
  dimensions: z.object({ length: z.string(), width: z.string(), height: z.string() }),
  dimensions_html: z.string(),
  image_id: z.union([z.string(), z.number()]),
  /** The product's own if the variation has none; false if neither has one. */
  image: z.union([variationImage, z.literal(false)]),
})

export type VariationImage = z.infer<typeof variationImage>
export type WireVariation = z.infer<typeof wireVariation>
