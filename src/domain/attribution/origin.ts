/** Where an order came from, in as many words as a list has room for. */
export type Origin =
  | { readonly kind: 'source' | 'organic' | 'referral'; readonly name: string }
  | { readonly kind: 'direct' | 'web-admin' | 'mobile-app' | 'point-of-sale' | 'unknown' }

const plainOrigins: Readonly<Record<string, 'direct' | 'web-admin' | 'mobile-app' | 'point-of-sale'>> = {
  typein: 'direct',
  admin: 'web-admin',
  mobile_app: 'mobile-app',
  pos: 'point-of-sale',
}

const namedOrigins: Readonly<Record<string, 'source' | 'organic' | 'referral'>> = {
  utm: 'source',
  organic: 'organic',
  referral: 'referral',
}

/**
 * The origin of what was kept with an order.
 * @param sourceType how the visitor came: `utm`, `organic`, `referral`, `typein`, or a door of the shop's own
 * @param source of campaigns, search engines and links: whose
 */
export function originOf(sourceType: string | undefined, source: string | undefined): Origin {
  // Texts of strangers: `constructor` is no member of ours.
  const type = sourceType ?? ''
  const plain = Object.hasOwn(plainOrigins, type) ? plainOrigins[type] : undefined
  if (plain) return { kind: plain }
  const named = Object.hasOwn(namedOrigins, type) ? namedOrigins[type] : undefined
  const name = nameOf(source ?? '')
  return named && name !== '' ? { kind: named, name } : { kind: 'unknown' }
}

/** `(newsletter)` as `Newsletter`. */
function nameOf(source: string): string {
  const bare = source
    .trim()
    .replace(/^\(+|\)+$/g, '')
    .trim()
  const [first = ''] = bare
  return first.toUpperCase() + bare.slice(first.length)
}
