/** Hooks and events of the product gallery: in a separate file, since the script of every page does not need them. */

export const galleryHooks = {
  gallery: '.woocommerce-product-gallery',
  strip: '.woocommerce-product-gallery__wrapper',
  slide: '.woocommerce-product-gallery__image',
  thumb: '.flex-control-thumbs a',
  thumbImage: '.flex-control-thumbs img',
  activeClass: 'flex-active',
  lensClass: 'zoomImg',
} as const

/** The full-screen view of the gallery: the shop's own, not part of the public interface. */
export const galleryViewHooks = {
  dialog: '.gallery-view',
  strip: '.gallery-view__strip',
  slideClass: 'gallery-view__slide',
  closerClass: 'is-closer',
  count: '.gallery-view__count',
  previous: '.gallery-view__previous',
  next: '.gallery-view__next',
  zoom: '.gallery-view__zoom',
  close: '.gallery-view__close',
} as const

/** On the gallery of a product page. */
export const galleryEvents = {
  /** Args: gallery, its parameters. */
  beforeInit: 'wc-product-gallery-before-init',
  /** Args: gallery, its parameters. */
  afterInit: 'wc-product-gallery-after-init',
  /** A request: back to the first image. */
  resetPosition: 'woocommerce_gallery_reset_slide_position',
  /** A request: the images have changed. */
  initZoom: 'woocommerce_gallery_init_zoom',
} as const
