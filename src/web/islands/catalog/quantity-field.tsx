export type QuantityFieldProps = {
  id: string
  name: string
  value: number
  min: number
  /** Null: no limit. */
  max: number | null
  /** One piece at most: the number is sent, not chosen. */
  fixed?: boolean
  texts: { label: string; decrease: string; increase: string }
}

/** A number with a button on either side. The buttons are worked by a delegated script and hidden where none runs. */
export function QuantityField({ id, name, value, min, max, fixed = false, texts }: QuantityFieldProps) {
  return (
    <div className={fixed ? 'quantity hidden' : 'quantity'}>
      {!fixed && <button type="button" className="minus" aria-label={texts.decrease} aria-controls={id} />}
      <label className="screen-reader-text" htmlFor={id}>
        {texts.label}
      </label>
      <input
        type={fixed ? 'hidden' : 'number'}
        id={id}
        className="input-text qty text"
        name={name}
        defaultValue={value}
        aria-label={texts.label}
        min={min}
        max={max ?? undefined}
        step={1}
        inputMode="numeric"
        autoComplete="off"
        readOnly={fixed || undefined}
      />
      {!fixed && <button type="button" className="plus" aria-label={texts.increase} aria-controls={id} />}
    </div>
  )
}
