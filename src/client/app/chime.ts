// Two tones, three times. No file to load, and nothing plays before the person touched the page.

let context: AudioContext | null = null;

export function prepareSound(): void {
  context ??= new AudioContext();
  void context.resume();
}

const TONES: [startS: number, hertz: number][] = [0, 0.6, 1.2].flatMap((startS): [number, number][] => [
  [startS, 880],
  [startS + 0.22, 660],
]);

export function chime(): void {
  if (!context) return;
  for (const [startS, hertz] of TONES) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const at = context.currentTime + startS;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.3, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.2);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.21);
  }
}
