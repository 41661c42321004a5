import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { type FromFrame, fromFrame, type ToFrame } from '#contract/translation/editor.ts'

/** Exchanges messages with the shop in the frame: only with this origin, and only valid ones. */
export function useFrame(
  frame: RefObject<HTMLIFrameElement | null>,
  heard: (message: FromFrame) => void,
): (message: ToFrame) => void {
  const latest = useRef(heard)
  useEffect(() => {
    latest.current = heard
  })
  useEffect(() => {
    const listen = ({ data, origin, source }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return
      const message = fromFrame.safeParse(data)
      if (message.success) latest.current(message.data)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [frame])
  return useCallback((message) => frame.current?.contentWindow?.postMessage(message, window.location.origin), [frame])
}
