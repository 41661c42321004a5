import { galleryEvents, galleryHooks } from '#contract/catalog/gallery.ts'
import type { VariationImage, WireVariation } from '#contract/catalog/variation.ts'
import { allOf } from '../../browser/runtime/elements.ts'
import { trigger } from '../../browser/runtime/events.ts'

/**
 * Applies a variation's data to the page around its form, and restores the product's own. Originals are stored in
 * `data-o_…` attributes, where third-party scripts expect them.
 */
export function showVariation(form: HTMLElement, variation: WireVariation): void {
  const product = productOf(form)
  swapText(product.querySelector('.product_meta .sku'), variation.sku)
  swapText(weightCell(product), variation.weight_html)
  swapText(dimensionsCell(product), variation.dimensions_html)
  if (variation.image) showImage(form, variation.image)
  else restoreImage(form)
}

export function restoreProduct(form: HTMLElement): void {
  const product = productOf(form)
  for (const cell of [product.querySelector('.product_meta .sku'), weightCell(product), dimensionsCell(product)]) {
    restoreText(cell)
  }
  restoreImage(form)
}

export function restoreImage(form: HTMLElement): void {
  const place = galleryPlace(form)
  if (!place || !form.hasAttribute(currentImage)) return
  putBack(place)
  settle(form, place, '', 0)
}

/** Limits the quantity to that of a variation. */
export function limitQuantity(form: HTMLElement, variation: WireVariation): void {
  const input = form.querySelector<HTMLInputElement>('.quantity input.qty')
  const box = input?.closest<HTMLElement>('.quantity')
  if (!input || !box) return
  const alone = variation.is_sold_individually === 'yes'
  const min = alone ? 1 : variation.min_qty
  const max = alone ? '' : variation.max_qty
  box.hidden = alone
  input.min = String(min)
  input.max = String(max)
  const value = Number.parseFloat(input.value)
  const wanted = alone ? 1 : Number.isNaN(value) ? min : Math.max(min, max === '' ? value : Math.min(value, max))
  if (String(wanted) === input.value) return
  input.value = String(wanted)
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

const currentImage = 'current-image'
/** Gallery scripts measure again once the image is in its place. */
const settleMs = 20

/** Scrolls to one of the product's own images; any other replaces the first one. */
function showImage(form: HTMLElement, image: VariationImage): void {
  const place = galleryPlace(form)
  if (!place) return
  putBack(place)
  const own = allOf<HTMLImageElement>(galleryHooks.thumbImage, place.gallery).findIndex(
    (thumb) => thumb.getAttribute('src') === image.gallery_thumbnail_src,
  )
  if (own < 0) putIn(place, image)
  settle(form, place, image.full_src, Math.max(0, own))
}

type Place = NonNullable<ReturnType<typeof galleryPlace>>

function putIn({ slide, image: node, link, thumb, source }: Place, image: VariationImage): void {
  swapAttributes(slide, { 'data-thumb': image.gallery_thumbnail_src })
  swapAttributes(node, {
    src: image.src,
    height: image.src_h,
    width: image.src_w,
    srcset: image.srcset,
    sizes: image.sizes,
    title: image.title,
    'data-caption': image.caption,
    alt: image.alt,
    'data-src': image.full_src,
    'data-large_image': image.full_src,
    'data-large_image_width': image.full_src_w,
    'data-large_image_height': image.full_src_h,
  })
  if (link) swapAttributes(link, { href: image.full_src })
  if (thumb) swapAttributes(thumb, { src: image.gallery_thumbnail_src })
  // The source precedes the image, so the browser would keep showing the product's own image from it.
  if (source) {
    const { srcset, avif } = image
    swapAttributes(source, { srcset: srcset && avif !== false ? srcset.replaceAll('.webp ', '.avif ') : srcset })
  }
}

function putBack({ slide, image, link, thumb, source }: Place): void {
  for (const node of [slide, image, link, thumb, source]) if (node) restoreAttributes(node)
}

/** Scrolls an image into view, and notifies gallery scripts if its content has changed. */
function settle(form: HTMLElement, { gallery, slide }: Place, shown: string, place: number): void {
  if (form.getAttribute(currentImage) === shown) return
  if (shown) form.setAttribute(currentImage, shown)
  else form.removeAttribute(currentImage)
  const strip = slide.parentElement
  const goal = strip?.children[place]
  if (strip && goal instanceof HTMLElement) {
    strip.scrollTo({ left: goal.offsetLeft - strip.offsetLeft, behavior: place === 0 ? 'instant' : 'auto' })
  }
  setTimeout(() => {
    trigger(window, 'resize')
    if (place === 0) trigger(gallery, galleryEvents.resetPosition)
    trigger(gallery, galleryEvents.initZoom)
  }, settleMs)
}

function productOf(form: HTMLElement): ParentNode {
  return form.closest('.product') ?? document
}

function weightCell(product: ParentNode): Element | null {
  return product.querySelector(
    '.product_weight, .woocommerce-product-attributes-item--weight .woocommerce-product-attributes-item__value',
  )
}

function dimensionsCell(product: ParentNode): Element | null {
  return product.querySelector(
    '.product_dimensions, .woocommerce-product-attributes-item--dimensions .woocommerce-product-attributes-item__value',
  )
}

function galleryPlace(form: HTMLElement) {
  const gallery = productOf(form).querySelector<HTMLElement>(galleryHooks.gallery)
  const slide = gallery?.querySelector<HTMLElement>(galleryHooks.slide)
  const image = slide?.querySelector<HTMLElement>('.wp-post-image')
  if (!gallery || !slide || !image) return undefined
  return {
    gallery,
    slide,
    image,
    link: slide.querySelector('a'),
    thumb: gallery.querySelector(galleryHooks.thumbImage),
    source: slide.querySelector('source'),
  }
}

function swapText(cell: Element | null, text: string): void {
  if (!cell) return
  if (!cell.hasAttribute('data-o_content')) cell.setAttribute('data-o_content', cell.textContent ?? '')
  if (text) cell.textContent = text
  else restoreText(cell)
}

function restoreText(cell: Element | null): void {
  const original = cell?.getAttribute('data-o_content')
  if (cell && typeof original === 'string') cell.textContent = original
}

/** `false` removes an attribute. */
function swapAttributes(node: Element, values: Readonly<Record<string, string | number | false>>): void {
  for (const [name, value] of Object.entries(values)) {
    const kept = `data-o_${name}`
    if (!node.hasAttribute(kept)) node.setAttribute(kept, node.getAttribute(name) ?? '')
    if (value === false) node.removeAttribute(name)
    else node.setAttribute(name, String(value))
  }
}

function restoreAttributes(node: Element): void {
  for (const { name, value } of [...node.attributes]) {
    if (name.startsWith('data-o_')) node.setAttribute(name.slice('data-o_'.length), value)
  }
}
