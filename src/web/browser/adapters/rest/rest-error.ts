import { restErrorCodes } from '#contract/shared/rest.ts'

/** What the client says by itself, for a page to hand in in its own language. */
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
 * Why a REST call failed: `code`, `message` and, from the server, `data.status`. The members of the server's own error stand
 * on it as they came, so that whoever reads `error.code` need not know that it is an `Error`.
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

  /** HTTP status that the server names, or undefined. */
  get status(): number | undefined {
    const { data } = this
    const status: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'status') : undefined
    return typeof status === 'number' ? status : undefined
  }

  /** As it would come from the server. */
  toJSON(): { code: string; message: string; data: unknown } {
    return { code: this.code, message: this.message, data: this.data }
  }
}

export const isStaleNonce = (error: unknown): boolean =>
  error instanceof RestError && error.code === restErrorCodes.staleNonce
