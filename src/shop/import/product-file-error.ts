/** The file as a whole cannot be read beyond `row`; 0 is the file itself. */
export class ProductFileError extends Error {
  readonly row: number
  readonly column: string
  constructor(row: number, problem: string, column = '') {
    super(problem)
    this.name = 'ProductFileError'
    this.row = row
    this.column = column
  }
}
