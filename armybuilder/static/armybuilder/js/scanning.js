// Read QR codes through the camera, here in the browser: no picture leaves it. The page has loaded
// vendor/qr-decode.min.js.

// The middle of what the camera sees, as the page shows it; tried at regular intervals.
const MOST_PIXELS = 1080;
const EVERY = 150;

function read(video, canvas) {
  const side = Math.min(video.videoWidth, video.videoHeight);
  if (!side) return "";
  const size = Math.min(side, MOST_PIXELS);
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const [left, top] = [(video.videoWidth - side) / 2, (video.videoHeight - side) / 2];
  context.drawImage(video, left, top, side, side, 0, 0, size, size);
  try {
    return QrDecode.decodeQR(context.getImageData(0, 0, size, size));
  } catch {
    // Most pictures show no code that can be read.
    return "";
  }
}

function firstCode(video, signal) {
  const canvas = document.createElement("canvas");
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const text = signal.aborted ? "" : read(video, canvas);
      if (!text && !signal.aborted) return;
      clearInterval(timer);
      resolve(text);
    }, EVERY);
  });
}

// Show the camera's picture, and return the text of the first code in it; "" once `signal` ends it.
// Throws what `getUserMedia` throws where there is no camera, or it may not be used.
export async function scan(video, signal) {
  const wanted = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted });
  try {
    video.srcObject = stream;
    await video.play();
    return await firstCode(video, signal);
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}
