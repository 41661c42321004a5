import { galleryViewHooks } from '#contract/catalog/gallery.ts'
import { closestTo } from '../../browser/runtime/elements.ts'

const most = 4
const pressed = 2.5
const doubleTapMs = 300
/** Arrow keys move a zoomed image by this many pixels. */
const panStep = 80
const panWays: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Zooms the images of a strip: by pinch or double tap with fingers, by a press with a mouse, and drags to move. A
 * zoomed image is wider than its slide, so that the browser's own scrolling moves it.
 */
export function startPinch(strip: HTMLElement, slides: readonly HTMLElement[], signal: AbortSignal) {
  const zooms = new WeakMap<HTMLElement, number>()
  let changed: (closer: boolean) => void = () => {}
  const zoomOf = (slide: HTMLElement) => zooms.get(slide) ?? 1

  /** Keeps the point under the fingers in place. */
  const set = (slide: HTMLElement, wanted: number, clientX?: number, clientY?: number) => {
    const before = zoomOf(slide)
    const zoom = Math.min(most, Math.max(1, wanted))
    if (zoom === before) return
    const { left, top, width, height } = slide.getBoundingClientRect()
    const [x, y] = [(clientX ?? left + width / 2) - left, (clientY ?? top + height / 2) - top]
    const [atX, atY] = [(slide.scrollLeft + x) / before, (slide.scrollTop + y) / before]
    zooms.set(slide, zoom)
    slide.style.setProperty('--zoom', String(zoom))
    slide.classList.toggle(galleryViewHooks.closerClass, zoom > 1)
    slide.scrollTo({ left: atX * zoom - x, top: atY * zoom - y, behavior: 'instant' })
    const image = slide.querySelector('img')
    if (image && zoom > 1) image.sizes = '400vw'
    changed(zoom > 1)
  }
  const toggle = (slide: HTMLElement | undefined, clientX?: number, clientY?: number) => {
    if (slide) set(slide, zoomOf(slide) > 1 ? 1 : pressed, clientX, clientY)
  }
  const slideIn = (event: Event) => closestTo(event, `.${galleryViewHooks.slideClass}`)

  let spread = 0
  let zoomAtStart = 1
  const onTouch = (event: TouchEvent) => {
    const [one, two] = event.touches
    const slide = slideIn(event)
    if (!one || !two || !slide) return
    event.preventDefault()
    const distance = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)
    if (event.type === 'touchstart') {
      spread = distance
      zoomAtStart = zoomOf(slide)
    } else if (spread > 0) {
      const middle = [(one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2] as const
      set(slide, (zoomAtStart * distance) / spread, ...middle)
    }
  }
  // Not passive: two fingers would otherwise zoom or scroll the page.
  for (const type of ['touchstart', 'touchmove'] as const) {
    strip.addEventListener(type, onTouch, { passive: false, signal })
  }

  let dragged = false
  strip.addEventListener('pointerdown', () => (dragged = false), { signal })
  strip.addEventListener(
    'pointermove',
    (event) => {
      const slide = slideIn(event)
      if (event.pointerType !== 'mouse' || event.buttons !== 1 || !slide || zoomOf(slide) === 1) return
      dragged = true
      slide.scrollBy({ left: -event.movementX, top: -event.movementY, behavior: 'instant' })
    },
    { signal },
  )

  let tappedAt = Number.NEGATIVE_INFINITY
  strip.addEventListener(
    'click',
    (event) => {
      const twice = event.timeStamp - tappedAt < doubleTapMs
      // A third tap starts again.
      tappedAt = twice ? Number.NEGATIVE_INFINITY : event.timeStamp
      const mouse = event instanceof PointerEvent && event.pointerType === 'mouse'
      if (mouse ? !dragged : twice) toggle(slideIn(event), event.clientX, event.clientY)
    },
    { signal },
  )

  return {
    toggle,
    onChange(listener: (closer: boolean) => void) {
      changed = listener
    },
    reset() {
      for (const slide of slides) set(slide, 1)
    },
    /** @returns whether the key moved a zoomed image, instead of moving to the next one */
    pan(slide: HTMLElement | undefined, key: string): boolean {
      const way = panWays[key]
      if (!slide || !way || zoomOf(slide) === 1) return false
      slide.scrollBy({ left: way[0] * panStep, top: way[1] * panStep, behavior: 'instant' })
      return true
    },
  }
}
