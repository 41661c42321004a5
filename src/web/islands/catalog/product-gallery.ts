import { galleryEvents, galleryHooks } from '#contract/catalog/gallery.ts'
import { allOf, closestTo } from '../../browser/runtime/elements.ts'
import { listen, trigger } from '../../browser/runtime/events.ts'
import { isPlainClick } from '../../browser/runtime/plain-click.ts'
import { startZoom } from './gallery-zoom.ts'

/**
 * The gallery of a product. Swiping is the strip's own scrolling; this script syncs the thumbnails, zooms under a
 * mouse, and opens the full-screen view, whose code is loaded on demand.
 */
export function startGallery(element: HTMLElement): () => void {
  const gallery = element.querySelector<HTMLElement>(galleryHooks.gallery)
  const strip = gallery?.querySelector<HTMLElement>(galleryHooks.strip)
  if (!gallery || !strip) return () => {}
  const ended = new AbortController()
  const { signal } = ended
  const slides = () => allOf(galleryHooks.slide, strip)
  const thumbs = allOf(galleryHooks.thumb, gallery)
  const show = (place: number, behavior: ScrollBehavior = 'auto') => {
    const slide = slides()[place]
    if (slide) strip.scrollTo({ left: slide.offsetLeft - strip.offsetLeft, behavior })
  }
  let current = 0

  trigger(gallery, galleryEvents.beforeInit, gallery, {})
  const watch = new IntersectionObserver(
    (entries) => {
      const seen = entries.findLast(({ isIntersecting }) => isIntersecting)
      const slide = seen && closestTo(seen, galleryHooks.slide)
      if (!slide) return
      current = slides().indexOf(slide)
      mark(thumbs, current)
    },
    { root: strip, threshold: 0.6 },
  )
  for (const slide of slides()) watch.observe(slide)

  const ends = [
    listen(gallery, galleryEvents.resetPosition, () => show(0, 'instant')),
    startZoom(gallery, strip, signal),
    () => watch.disconnect(),
    () => ended.abort(),
  ]
  // Scripts press its links through jQuery, which calls only its own listeners for a link.
  ends.push(
    listen(gallery, 'click', (event) => {
      const link = closestTo(event, 'a')
      if (!link || !isPlainClick(event)) return
      event.preventDefault()
      const place = thumbs.indexOf(link)
      if (place >= 0) {
        show(place)
        return
      }
      const slide = slides().findIndex((slide) => slide.contains(link))
      void import('./gallery-view.ts').then(({ openGalleryView }) =>
        openGalleryView(gallery, slide < 0 ? current : slide, (left) => {
          show(left, 'instant')
          link.focus({ preventScroll: true })
        }),
      )
    }),
  )
  trigger(gallery, galleryEvents.afterInit, gallery, {})
  return () => {
    for (const end of ends) end()
  }
}

/** Marks the thumbnail of the visible image, and scrolls it into view in its own row without moving the page. */
function mark(thumbs: readonly HTMLElement[], current: number): void {
  for (const [place, thumb] of thumbs.entries()) {
    const active = place === current
    if (active) thumb.setAttribute('aria-current', 'true')
    else thumb.removeAttribute('aria-current')
    thumb.querySelector('img')?.classList.toggle(galleryHooks.activeClass, active)
  }
  const thumb = thumbs[current]
  const row = thumb?.closest('ol')
  if (!thumb || !row) return
  const [box, around] = [thumb.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollBy({
    left: box.left + box.width / 2 - around.left - around.width / 2,
    top: box.top + box.height / 2 - around.top - around.height / 2,
  })
}
