/** A statement that was sent before. */
export type Statement = {
  /** The name of the prepared statement on each connection that has it. */
  readonly name: string
  readonly text: string
  readonly types: readonly number[]
  /** As the server has described its parameters; null before. */
  parameterTypes: readonly number[] | null
}

/** Statements of a pool. Each connection prepares those that it is asked for. */
export class Statements {
  #known = new Map<string, Statement[]>()
  #count = 0

  find(text: string, types: readonly number[]): Statement {
    const ofText = this.#known.get(text) ?? []
    const known = ofText.find((one) => one.types.every((type, index) => type === types[index]))
    if (known) return known
    this.#count += 1
    const statement = { name: `s${this.#count}`, text, types, parameterTypes: types.length === 0 ? [] : null }
    this.#known.set(text, [...ofText, statement])
    return statement
  }

  /**
   * Forgets all statements because one is outdated: the same change of a table affects others. Under their new names they
   * are prepared again.
   */
  forget(outdated: Statement): void {
    // Otherwise another connection has reported the change already.
    if (this.#known.get(outdated.text)?.includes(outdated)) this.#known = new Map()
  }
}
