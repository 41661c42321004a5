import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cardHooks } from '#contract/payments/constants.ts'
import { motionMs } from '../../browser/runtime/motion.ts'

const slideMs = 350
const slideTo = '100px'

/** The error of a field, '' for none: it slides open, and stays until it has slid away. */
export function CardFault({ fieldId, text }: { fieldId: string; text: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(text)
  const open = text !== ''
  if (open && shown !== text) setShown(text)

  const slide = useEffectEvent(() => {
    if (shown === '') return
    const duration = motionMs(slideMs)
    if (duration === 0) return open ? undefined : setShown('')
    const maxHeight = open ? ['0px', slideTo] : [slideTo, '0px']
    const sliding = place.current?.animate({ maxHeight }, { duration, easing: 'ease-in-out' })
    if (sliding && !open) sliding.onfinish = () => setShown('')
    return () => sliding?.cancel()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text in its place does not slide.
  useEffect(() => slide(), [open])

  return (
    <div ref={place} className={cardHooks.messageClass} data-parent={fieldId} role="status">
      {shown !== '' && (
        <span className={cardHooks.errorClass} data-going={open ? undefined : ''}>
          {shown}
        </span>
      )}
    </div>
  )
}
