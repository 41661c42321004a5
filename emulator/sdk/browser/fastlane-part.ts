import type { Destroyable, SdkSettings } from './buttons.ts'
import type { FastlaneSetUp } from './fastlane-wire.ts'
import { type Answers, type Line, lineToFrame } from './line.ts'

type FastlanePart = {
  kind: 'watermark' | 'card' | 'payment'
  title: string
  query: Record<string, string>
  /** @param ink the colour of the text around the frame */
  setUp(ink: string): FastlaneSetUp
  answers: Answers
}

const PART_MS = 15_000

let fastlaneParts = 0

/** One frame of accelerated checkout in the page; drawn into a place when told to. */
export function drawFastlaneFrame(
  { origin }: SdkSettings,
  living: Set<Destroyable>,
  { kind, title, query, setUp, answers }: FastlanePart,
) {
  fastlaneParts += 1
  const frame = document.createElement('iframe')
  frame.name = `__zoid__paypal_fastlane_${kind}__${fastlaneParts}__`
  frame.title = title
  Object.assign(frame.style, { display: 'block', width: '100%', height: '24px', border: '0', colorScheme: 'light' })
  frame.src = `${origin}/sdk/fastlane/frame/${kind}?${new URLSearchParams(query)}`
  let line: Line | undefined

  return {
    isDrawn: () => line !== undefined,
    ask<Answer>(question: string, data?: unknown): Promise<Answer> {
      return line ? line.ask<Answer>(question, data) : Promise.reject(new Error('The component is not rendered'))
    },
    /** Into another place when it is drawn already: the page may have made its form anew. */
    render(container: string | HTMLElement): Promise<void> {
      const place = typeof container === 'string' ? document.querySelector(container) : container
      if (!place) return Promise.reject(new Error(`Element ${String(container)} does not exist`))
      line?.close()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('Loading Fastlane timed out')), PART_MS)
        const height = (px: number) => {
          frame.style.height = `${px}px`
        }
        const drawn = lineToFrame(frame, origin, { ...answers, height }, () => {
          const ink = getComputedStyle(place).color
          drawn.ask('set up', setUp(ink)).then(() => {
            clearTimeout(timer)
            resolve()
          }, reject)
        })
        line = drawn
        const part: Destroyable = {
          destroy(reason) {
            clearTimeout(timer)
            reject(reason)
            drawn.close()
            frame.remove()
            living.delete(part)
          },
        }
        living.add(part)
        place.append(frame)
      })
    },
  }
}
