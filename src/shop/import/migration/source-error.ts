/** The other shop cannot be read, or not further. The message never contains the key. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  /** The status of the answer; null without one. */
  readonly status: number | null
  /** True if the same request may succeed later. */
  readonly retryable: boolean
  constructor(message: string, facts: { readonly status?: number; readonly retryable?: boolean } = {}) {
    super(message)
    this.status = facts.status ?? null
    this.retryable = facts.retryable ?? false
  }
}
