import type { VariationImage, WireVariation } from '#contract/catalog/variation.ts'
import { urls } from '#contract/shared/urls.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import type { Money } from '#domain/money/money.ts'
import type { ImageFacts, ProductFacts, VariationFacts } from '#shop/catalog/catalog-facts.ts'
import { renderPart } from '../../pages/shared/render.tsx'
import { PriceHtml } from '../currency/price.tsx'
import { GALLERY_SIZES, pictureSet, renditionWidth } from '../shared/picture.tsx'
import type { ShopContextValue } from '../shared/shop-context.tsx'
import { dimensionsText, weightText } from './product-attributes.tsx'
import { Stock } from './stock.tsx'

/**
 * Returns a variation as the browser receives it, with its markup rendered here, so that no script re-implements it.
 */
export function variationObject(
  shop: ShopContextValue,
  product: ProductFacts,
  variation: VariationFacts,
): WireVariation {
  const image = variation.image ?? product.image ?? product.images[0] ?? null
  const dimensions = variation.dimensionsMm ?? product.dimensionsMm
  const weightGrams = variation.weightGrams ?? product.weightGrams
  return {
    variation_id: variation.id,
    attributes: Object.fromEntries(
      Object.entries(variation.attributes).map(([slug, value]) => [`attribute_${slug}`, value]),
    ),
    sku: variation.sku || product.sku,
    display_price: majorUnits(variation.displayPrice),
    display_regular_price: majorUnits(variation.displayRegularPrice),
    price_html: priceDiffers(product)
      ? renderPart(
          shop,
          <span className="price">
            <PriceHtml price={variation.price} />
          </span>,
        )
      : '',
    availability_html: renderPart(shop, <Stock {...variation} lowStockAmount={product.lowStockAmount} />),
    is_in_stock: variation.stock !== 'outofstock',
    is_purchasable: variation.purchasable,
    is_sold_individually: variation.soldIndividually ? 'yes' : 'no',
    is_virtual: variation.virtual,
    is_downloadable: variation.downloadable,
    backorders_allowed: variation.backorders !== 'no',
    min_qty: 1,
    max_qty: variation.maxQuantity ?? '',
    variation_is_active: true,
    variation_is_visible: variation.price.kind !== 'none',
    variation_description: variation.description,
    weight: weightGrams === null ? '' : String(weightGrams / 1000),
    weight_html: weightText({ weightGrams, dimensionsMm: null }, shop.language),
    dimensions: {
      length: centimetres(dimensions?.length),
      width: centimetres(dimensions?.width),
      height: centimetres(dimensions?.height),
    },
    dimensions_html: dimensionsText({ weightGrams: null, dimensionsMm: dimensions }, shop.language),
    image_id: image?.hash ?? '',
    image: image ? variationImage(image, product.name) : false,
  }
}

const centimetres = (millimetres: number | undefined) => (millimetres === undefined ? '' : String(millimetres / 10))

/** If every variation has the same price, the price under the title is sufficient. */
function priceDiffers(product: ProductFacts): boolean {
  // Too many variations to read: the product's own range decides.
  if (!product.variationsInline) return product.price.kind === 'range'
  const key = (variation: VariationFacts) => `${variation.displayPrice?.minor} ${variation.displayRegularPrice?.minor}`
  return new Set(product.variations.map(key)).size !== 1
}

/** A number for analytics scripts; it is not used for calculations. */
function majorUnits(value: Money | null): number | '' {
  return value ? Number(decimalString(value)) : ''
}

function variationImage(image: ImageFacts, name: string): VariationImage {
  const rendition = (wanted: number) => {
    const width = renditionWidth(image, wanted)
    return { src: urls.media(image.hash, width, 'webp'), w: width, h: Math.round((width * image.height) / image.width) }
  }
  const [main, full, thumb, card] = [
    rendition(960),
    rendition(Number.POSITIVE_INFINITY),
    rendition(100),
    rendition(320),
  ]
  return {
    title: image.alt || name,
    caption: '',
    url: full.src,
    alt: image.alt || name,
    src: main.src,
    src_w: main.w,
    src_h: main.h,
    srcset: pictureSet(image, 'webp'),
    sizes: GALLERY_SIZES,
    ...(image.avif ? {} : { avif: false as const }),
    full_src: full.src,
    full_src_w: full.w,
    full_src_h: full.h,
    gallery_thumbnail_src: thumb.src,
    gallery_thumbnail_src_w: thumb.w,
    gallery_thumbnail_src_h: thumb.h,
    thumb_src: card.src,
    thumb_src_w: card.w,
    thumb_src_h: card.h,
  }
}
