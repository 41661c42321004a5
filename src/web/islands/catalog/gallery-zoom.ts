import { galleryEvents, galleryHooks } from '#contract/catalog/gallery.ts'
import { closestTo } from '../../browser/runtime/elements.ts'
import { listen } from '../../browser/runtime/events.ts'

/** An image that would grow by less than this factor is not loaded for the zoom. */
const leastZoom = 1.2
const mostZoom = 2.5

/**
 * Shows the large image at the mouse's position. @returns a function that stops listening to image swaps of other
 * scripts
 */
export function startZoom(gallery: HTMLElement, strip: HTMLElement, signal: AbortSignal): () => void {
  let slide: HTMLElement | undefined
  let lens: HTMLImageElement | undefined
  const leave = () => {
    lens?.remove()
    lens = slide = undefined
  }
  strip.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerType !== 'mouse') return
      const under = closestTo(event, galleryHooks.slide)
      if (under !== slide) {
        leave()
        slide = under
        lens = under && lensOver(under)
      }
      if (!lens || !slide) return
      const { left, top, width, height } = slide.getBoundingClientRect()
      lens.style.transformOrigin = `${(100 * (event.clientX - left)) / width}% ${(100 * (event.clientY - top)) / height}%`
    },
    { passive: true, signal },
  )
  strip.addEventListener('pointerleave', leave, { signal })
  return listen(gallery, galleryEvents.initZoom, leave)
}

function lensOver(slide: HTMLElement): HTMLImageElement | undefined {
  const image = slide.querySelector<HTMLImageElement>('img[data-large_image]')
  const { large_image: src, large_image_width: width, large_image_height: height } = image?.dataset ?? {}
  const zoom = Math.min(mostZoom, Number(width) / slide.clientWidth, Number(height) / slide.clientHeight)
  const picture = image?.closest('.picture')
  if (!picture || !src || !(zoom >= leastZoom)) return undefined
  const lens = new Image()
  lens.className = galleryHooks.lensClass
  lens.alt = ''
  lens.style.scale = String(zoom)
  lens.onload = () => lens.classList.add('is-ready')
  lens.src = src
  // Outside of the `picture` element, whose sources would override its own.
  picture.append(lens)
  return lens
}
