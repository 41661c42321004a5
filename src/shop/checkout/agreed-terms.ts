import { z } from 'zod'
import { findTermsVersion, keepTermsVersion } from '#database/checkout/terms-versions.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'

/** One version of the terms page, verbatim. */
export type TermsVersion = {
  /** SHA-256 of the members below. */
  readonly version: string
  readonly language: string
  readonly title: string
  readonly introduction: string
  /** Markdown. */
  readonly text: string
}

/** Version of the terms shown when an order was placed or paid, and the time. */
export type AgreedTerms = { readonly version: string; readonly language: string; readonly at: string }

export function termsVersion(page: Omit<TermsVersion, 'version'>): TermsVersion {
  const { language, title, introduction, text } = page
  return { ...page, version: sha256(JSON.stringify([language, title, introduction, text])) }
}

type TermsTools = Pick<Tools, 'db' | 'clock' | 'terms' | 'storedTerms'>

/** Stores the current terms, so that any version shown stays recoverable. One query per version and process. */
export async function storeTerms({ db, clock, terms, storedTerms }: TermsTools): Promise<TermsVersion | null> {
  const now = terms()
  if (!now) return null
  if (!storedTerms.has(now.version)) {
    await keepTermsVersion(db.kysely, { ...now, first_shown_at: clock.now() })
    storedTerms.add(now.version)
  }
  return now
}

const versionPattern = /^[0-9a-f]{64}$/

/**
 * Returns the version of the terms that the shopper saw, or null where the shop asks for no agreement.
 * @param shown the version that the page names; the current one replaces a version that the shop never showed
 */
export async function agreedTerms(tools: TermsTools, shown: unknown): Promise<AgreedTerms | null> {
  const now = await storeTerms(tools)
  if (!now) return null
  const at = tools.clock.now().toISOString()
  const named = typeof shown === 'string' && versionPattern.test(shown) && shown !== now.version ? shown : null
  const before = named === null ? undefined : await findTermsVersion(tools.db.kysely, named)
  const { version, language } = before ?? now
  return { version, language, at }
}

const stored = z.object({ version: z.string(), language: z.string(), at: z.string() })

/** Parses the stored agreement; null where the shop asked for none, and for orders from before it was stored. */
export function storedTermsAgreement(order: { readonly terms: unknown }): AgreedTerms | null {
  return stored.safeParse(order.terms).data ?? null
}
