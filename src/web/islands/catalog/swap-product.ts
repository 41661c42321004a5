import type { VariationImage, WireVariation } from '#contract/variation.ts'

/**
 * Puts what a variation changes into the page around its form, and the product's own back. Originals are kept in
 * `data-o_…` attributes, where scripts of the ecosystem look for them.
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
  if (!place) return
  for (const node of [place.slide, place.image, place.link, place.source]) if (node) restoreAttributes(node)
}

function showImage(form: HTMLElement, image: VariationImage): void {
  const place = galleryPlace(form)
  if (!place) return
  swapAttributes(place.slide, { 'data-thumb': image.gallery_thumbnail_src })
  swapAttributes(place.image, {
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
  if (place.link) swapAttributes(place.link, { href: image.full_src })
  // The source stands before the image, so the browser would go on showing the product's own picture from it.
  if (place.source) {
    swapAttributes(place.source, {
      srcset: image.srcset === false ? false : image.srcset.replaceAll('.webp ', '.avif '),
    })
  }
  place.slide.parentElement?.scrollTo({ left: 0, behavior: 'instant' })
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
  const slide = productOf(form).querySelector<HTMLElement>('.woocommerce-product-gallery__image')
  const image = slide?.querySelector<HTMLElement>('.wp-post-image')
  if (!slide || !image) return undefined
  return {
    slide,
    image,
    link: slide.querySelector<HTMLElement>('a'),
    source: slide.querySelector<HTMLElement>('source'),
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

/** `false` takes an attribute away. */
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
