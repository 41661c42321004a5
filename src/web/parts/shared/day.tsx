import { type ShopContextValue, useShop } from './shop-context.tsx'

/** Making one takes as long as half a message. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * A day as the page's language writes it, by the shop's own clock: wherever the server stands, and whatever time it has, the day of an
 * order is the same on its page and in its messages.
 */
export function dayText({ language, timeZone }: Pick<ShopContextValue, 'language' | 'timeZone'>, at: Date): string {
  const key = `${language} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone })
  formats.set(key, format)
  return format.format(at)
}

export function Day({ at, className }: { at: Date; className?: string }) {
  const shop = useShop()
  return (
    <time className={className} dateTime={at.toISOString()}>
      {dayText(shop, at)}
    </time>
  )
}
