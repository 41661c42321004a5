import { galleryHooks, galleryViewHooks } from '#contract/catalog/gallery.ts'
import { openDialog } from '../../browser/runtime/dialog.ts'
import { allOf, closestTo } from '../../browser/runtime/elements.ts'
import { startPinch } from './gallery-pinch.ts'

/**
 * The full-screen view in a native dialog: it traps the focus, closes by Escape, and swiping is scrolling.
 * @param closed receives the index of the last image
 */
export function openGalleryView(gallery: HTMLElement, start: number, closed: (place: number) => void): void {
  const dialog = gallery.querySelector<HTMLDialogElement>(galleryViewHooks.dialog)
  const strip = dialog?.querySelector<HTMLElement>(galleryViewHooks.strip)
  if (!dialog || !strip || dialog.open) return
  const images = allOf<HTMLImageElement>(`${galleryHooks.slide} img[data-large_image]`, gallery)
  const slides = images.map(slideOf)
  const watched: readonly Element[] = slides
  strip.replaceChildren(...slides)
  let current = start

  const ended = new AbortController()
  const { signal } = ended
  const pinch = startPinch(strip, slides, signal)
  const zoomed = (on: boolean) => {
    dialog.querySelector(galleryViewHooks.zoom)?.setAttribute('aria-pressed', String(on))
  }
  pinch.onChange(zoomed)

  const show = (place: number, behavior: ScrollBehavior = 'auto') => {
    const slide = slides[place]
    if (!slide) return
    pinch.reset()
    strip.scrollTo({ left: slide.offsetLeft - strip.offsetLeft, behavior })
    mark(place)
  }
  const mark = (place: number) => {
    current = place
    // Neighbouring images are preloaded.
    for (const near of slides.slice(Math.max(0, place - 1), place + 2)) {
      const image = near.querySelector('img')
      if (image) image.loading = 'eager'
    }
    const count = dialog.querySelector(galleryViewHooks.count)
    if (count) {
      const named = document.createElement('span')
      named.className = 'screen-reader-text'
      named.textContent = images[place]?.alt ?? ''
      count.replaceChildren(`${place + 1} / ${slides.length} `, named)
    }
    for (const [selector, end] of [
      [galleryViewHooks.previous, 0],
      [galleryViewHooks.next, slides.length - 1],
    ] as const) {
      // Not `disabled`: the focus would be lost, and the arrow keys with it.
      dialog.querySelector(selector)?.setAttribute('aria-disabled', String(place === end))
    }
  }

  const onwards = document.dir === 'rtl' ? -1 : 1
  dialog.addEventListener(
    'click',
    (event) => {
      if (closestTo(event, galleryViewHooks.previous)) show(current - 1)
      else if (closestTo(event, galleryViewHooks.next)) show(current + 1)
      else if (closestTo(event, galleryViewHooks.zoom)) pinch.toggle(slides[current])
      else if (closestTo(event, galleryViewHooks.close)) opened.end()
    },
    { signal },
  )
  dialog.addEventListener(
    'keydown',
    (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (pinch.pan(slides[current], event.key)) {
        event.preventDefault()
        return
      }
      const goal = new Map([
        ['ArrowLeft', current - onwards],
        ['ArrowRight', current + onwards],
        ['Home', 0],
        ['End', slides.length - 1],
      ]).get(event.key)
      if (goal === undefined) return
      event.preventDefault()
      show(goal)
    },
    { signal },
  )
  dialog.addEventListener(
    'close',
    () => {
      // The browser may have closed it, by a gesture.
      opened.end()
      ended.abort()
      watch.disconnect()
      strip.replaceChildren()
      closed(current)
    },
    { signal },
  )

  const opened = openDialog(dialog, { opener: document.activeElement, dismiss: () => opened.end() })
  show(start, 'instant')
  const watch = new IntersectionObserver(
    (entries) => {
      const seen = entries.findLast(({ isIntersecting }) => isIntersecting)
      const place = seen ? watched.indexOf(seen.target) : -1
      if (place >= 0 && place !== current) {
        pinch.reset()
        mark(place)
      }
    },
    { root: strip, threshold: 0.6 },
  )
  for (const slide of watched) watch.observe(slide)
}

function slideOf(image: HTMLImageElement): HTMLElement {
  const slide = document.createElement('div')
  slide.className = galleryViewHooks.slideClass
  const large = new Image()
  large.loading = 'lazy'
  large.draggable = false
  large.alt = image.alt
  large.sizes = '100vw'
  large.srcset = image.srcset
  large.src = image.dataset.large_image ?? image.src
  slide.append(large)
  return slide
}
