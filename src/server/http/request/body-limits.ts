/** A body that cannot be what it says it is. `status` is the answer's. */
export class BadBody extends Error {
  readonly status: 400 | 413 | 415
  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}

export const limits = { bytes: 256 * 1024, fields: 1000, depth: 20 }

/** Names that objects of the language have by birth: data under them could pass for something else later on. */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The name by which texts and lists are measured. A member of that name which is an object has no measure, and whatever
 * compares it fails instead of refusing: nobody of ours sends one.
 */
export const measureName = 'length'
