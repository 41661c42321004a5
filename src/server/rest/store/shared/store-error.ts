import type { z } from 'zod'

/** A failed operation of the Store API. Answers of 409 also have the whole cart. */
export class StoreError extends Error {
  readonly status: number
  readonly code: string
  readonly data: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  /**
   * @param code `woocommerce_rest_cart_invalid_key`
   * @param data members beside the status
   */
  constructor(
    status: number,
    code: string,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
    this.headers = headers
  }
}

/** Returns the faults of a request's parameters, by name; missing ones alone are named apart. */
export function parameterError(error: z.ZodError, given: Readonly<Record<string, unknown>>): StoreError {
  const names = [...new Set(error.issues.map(({ path }) => String(path[0] ?? 'body')))]
  const missing = names.filter((name) => given[name] === undefined)
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}`
    return new StoreError(400, 'rest_missing_callback_param', message, { params: missing })
  }
  const faults = names.map((name) => {
    const issue = error.issues.find(({ path }) => String(path[0] ?? 'body') === name)
    const place = issue?.path.slice(1).map(String).join('.') ?? ''
    return [name, `${place === '' ? '' : `${place}: `}${issue?.message ?? 'is not valid'}`] as const
  })
  const params = Object.fromEntries(faults)
  return new StoreError(400, 'rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, { params })
}
