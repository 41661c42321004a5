import { z } from 'zod'
import { findTermsVersion, keepTermsVersion } from '#database/checkout/terms-versions.ts'
import type { Database } from '#database/engine/connect.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'

/** One version of the terms page, word for word. */
export type TermsVersion = {
  /** SHA-256 of everything below. */
  readonly version: string
  readonly language: string
  readonly title: string
  readonly introduction: string
  /** Markdown. */
  readonly text: string
}

/** Which version of the terms was shown when an order was placed or paid, and when. */
export type AgreedTerms = { readonly version: string; readonly language: string; readonly at: string }

export function termsVersion(page: Omit<TermsVersion, 'version'>): TermsVersion {
  const { language, title, introduction, text } = page
  return { ...page, version: sha256(JSON.stringify([language, title, introduction, text])) }
}

type TermsTools = Pick<Tools, 'db' | 'clock' | 'terms'>

/** By database, because one process may serve several in tests. */
const kept = new WeakMap<Database, Set<string>>()

/** Stores the terms as they read now, so that what a page shows stays recoverable. One query per version and process. */
export async function keepTerms({ db, clock, terms }: TermsTools): Promise<TermsVersion | null> {
  const now = terms()
  if (!now) return null
  const known = kept.get(db) ?? new Set()
  kept.set(db, known)
  if (!known.has(now.version)) {
    await keepTermsVersion(db.kysely, { ...now, first_shown_at: clock.now() })
    known.add(now.version)
  }
  return now
}

const versionPattern = /^[0-9a-f]{64}$/

/**
 * Returns which version of the terms was shown to the one who orders, or null where the shop asks for no agreement.
 * @param shown the version that the page names; one that the shop never showed counts for nothing, and the present one is taken
 */
export async function agreedTerms(tools: TermsTools, shown: unknown): Promise<AgreedTerms | null> {
  const now = await keepTerms(tools)
  if (!now) return null
  const at = tools.clock.now().toISOString()
  const named = typeof shown === 'string' && versionPattern.test(shown) && shown !== now.version ? shown : null
  const before = named === null ? undefined : await findTermsVersion(tools.db.kysely, named)
  const { version, language } = before ?? now
  return { version, language, at }
}

const stored = z.object({ version: z.string(), language: z.string(), at: z.string() })

/** Reads what an order stores; null where the shop asked for no agreement, and for orders from before it was stored. */
export function storedTermsAgreement(order: { readonly terms: unknown }): AgreedTerms | null {
  return stored.safeParse(order.terms).data ?? null
}
