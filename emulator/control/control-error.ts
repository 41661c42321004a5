/** What the control API answers to a wish that it cannot fulfil. */
export class ControlError extends Error {
  readonly status: 400 | 404 | 409
  constructor(status: 400 | 404 | 409, message: string) {
    super(message)
    this.status = status
  }
}

/** The thing of a table, or 404. */
export function found<Thing>(table: ReadonlyMap<string, Thing>, id: string | undefined, name: string): Thing {
  const thing = table.get(id ?? '')
  if (thing === undefined) throw new ControlError(404, `no such ${name}: ${id ?? ''}`)
  return thing
}

/** One of the listed words, or 400. */
export function oneOf<Word extends string>(words: readonly Word[], value: unknown, name: string): Word {
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw new ControlError(400, `${name}: ${words.join(', ')}`)
  return word
}

/** A whole number within limits, or 400. Forms send texts. */
export function whole(value: unknown, name: string, absent: number, least: number, most: number): number {
  const number = value === undefined || value === '' ? absent : Number(value)
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new ControlError(400, `${name}: a whole number from ${least} to ${most}`)
  }
  return number
}

export function isOn(value: unknown): boolean {
  return value !== false && value !== 'false'
}
