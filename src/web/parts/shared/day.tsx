import { type ShopContextValue, useShop } from './shop-context.tsx'

/** Creating a format takes as long as half a message. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Formats a day in the page's language and the shop's time zone: independent of the server, an order has the same day
 * on its page and in its messages.
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
