/** An invalid request body. `status` is the response's status. */
export class BadBody extends Error {
  readonly status: 400 | 413 | 415
  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}

export const limits = { bytes: 256 * 1024, fields: 1000, depth: 20 }

/** Property names of the object prototype: data under them allows prototype pollution. */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The property by which validation measures strings and arrays. A field of that name which is an object has no measure,
 * and comparisons would throw instead of rejecting it. No form of the shop has it.
 */
export const measureName = 'length'
