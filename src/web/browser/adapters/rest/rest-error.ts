import { restErrorCodes } from '#contract/shared/rest.ts'

/** The client's own messages, which a page can localize. */
export type RestWords = {
  readonly invalidJson: string
  readonly unknown: string
  readonly fetch: string
  readonly postProcess: string
}

export const restWords: RestWords = {
  invalidJson: 'The response is not a valid JSON response.',
  unknown: 'An unknown error occurred.',
  fetch: 'You are probably offline.',
  postProcess: 'The picture arrived, but its sizes could not be made. Please try a smaller one.',
}

/**
 * A failed REST call: `code`, `message` and, from the server, `data.status`. All members of the server's error are
 * copied, so that `error.code` works without knowledge of this class.
 */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly code: string
  readonly data: unknown

  constructor(code: string, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.data = data
  }

  /** HTTP status of the server's error, or undefined. */
  get status(): number | undefined {
    const { data } = this
    const status: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'status') : undefined
    return typeof status === 'number' ? status : undefined
  }

  /** Returns the error as the server would send it. */
  toJSON(): { code: string; message: string; data: unknown } {
    return { code: this.code, message: this.message, data: this.data }
  }
}

export const isStaleNonce = (error: unknown): boolean =>
  error instanceof RestError && error.code === restErrorCodes.staleNonce
