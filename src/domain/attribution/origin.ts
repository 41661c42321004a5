/** The origin of an order, short enough for a list. */
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
 * Returns the origin of stored attribution.
 * @param sourceType the channel of the visit: `utm`, `organic`, `referral`, `typein`, or one of the shop's own
 * @param source name of the campaign, search engine or site
 */
export function originOf(sourceType: string | undefined, source: string | undefined): Origin {
  // Untrusted texts: `constructor` must not match a member.
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
