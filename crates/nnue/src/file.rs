//! The file format of networks: a description and a list of named layers, with a checksum. What the layers mean is
//! defined elsewhere, so new layers need no new format.
//!
//! Everything is little-endian; a text is its length in bytes followed by its bytes.
//!
//! ```text
//! magic "SWNN" · version u32 · description text · layers u32
//! each layer: name text · kind u32 (1: i16, 2: i32, 3: f32) · dimensions u32 · size of each u32 · numbers
//! checksum u64 of all bytes before it
//! ```

use std::fs::File;
use std::io::Read;
use std::path::Path;

use chess::zobrist::splitmix;

use crate::error::NetworkError;

const MAGIC: [u8; 4] = *b"SWNN";
const VERSION: u32 = 1;
const MAX_DIMENSIONS: usize = 4;
/// No network file is larger than this, in bytes; larger files are not read.
const LARGEST: u64 = 256 << 20;

/// The numbers of a layer, the last dimension running fastest.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Data {
    I16(Vec<i16>),
    I32(Vec<i32>),
    F32(Vec<f32>),
}

impl Data {
    fn kind(&self) -> u32 {
        match self {
            Data::I16(_) => 1,
            Data::I32(_) => 2,
            Data::F32(_) => 3,
        }
    }

    fn len(&self) -> usize {
        match self {
            Data::I16(numbers) => numbers.len(),
            Data::I32(numbers) => numbers.len(),
            Data::F32(numbers) => numbers.len(),
        }
    }

    fn append_to(&self, bytes: &mut Vec<u8>) {
        match self {
            Data::I16(numbers) => bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
            Data::I32(numbers) => bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
            Data::F32(numbers) => bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
        }
    }
}

/// A named array of numbers with a shape.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    name: String,
    shape: Vec<usize>,
    data: Data,
}

impl Layer {
    /// A layer; no two layers of a file may share a name.
    ///
    /// # Errors
    /// If the sizes of the dimensions, outermost first, do not multiply to the count of the numbers.
    pub fn new(name: impl Into<String>, shape: &[usize], data: Data) -> Result<Layer, NetworkError> {
        let (name, shape) = (name.into(), shape.to_vec());
        let fits = shape.len() <= MAX_DIMENSIONS && product(&shape) == Some(data.len());
        if fits { Ok(Layer { name, shape, data }) } else { Err(NetworkError::LayerShape(name)) }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The size of each dimension, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The numbers, as many as the sizes multiply to.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The numbers themselves.
    #[must_use]
    pub fn into_data(self) -> Data {
        self.data
    }
}

/// The contents of a network file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LayerFile {
    /// For people: where the network comes from.
    pub description: String,
    /// The layers in the order of the file.
    pub layers: Vec<Layer>,
}

impl LayerFile {
    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        append_number(&mut bytes, VERSION as usize);
        append_text(&mut bytes, &self.description);
        append_number(&mut bytes, self.layers.len());
        for layer in &self.layers {
            append_text(&mut bytes, &layer.name);
            append_number(&mut bytes, layer.data.kind() as usize);
            append_number(&mut bytes, layer.shape.len());
            layer.shape.iter().for_each(|&size| append_number(&mut bytes, size));
            layer.data.append_to(&mut bytes);
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, and nothing else.
    ///
    /// # Errors
    /// The first error found.
    pub fn from_bytes(bytes: &[u8]) -> Result<LayerFile, NetworkError> {
        let mut input = Input { bytes };
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(if MAGIC.starts_with(bytes) { NetworkError::Truncated } else { NetworkError::Magic });
        }
        input.take(MAGIC.len())?;
        match input.number()? {
            VERSION => {}
            version => return Err(NetworkError::Version(version)),
        }
        let description = input.text()?;
        let count = input.number()?;
        let mut layers: Vec<Layer> = Vec::new();
        for _ in 0..count {
            let layer = input.layer()?;
            if layers.iter().any(|other| other.name == layer.name) {
                return Err(NetworkError::Repeated(layer.name));
            }
            layers.push(layer);
        }
        let covered = bytes.len() - input.bytes.len();
        let sum = u64::from_le_bytes(input.array()?);
        match input.bytes.len() {
            0 if sum == checksum(&bytes[..covered]) => Ok(LayerFile { description, layers }),
            0 => Err(NetworkError::Checksum),
            extra => Err(NetworkError::TooLong(extra)),
        }
    }

    /// Reads a file. Pipes and devices are refused, since some never end.
    ///
    /// # Errors
    /// Those of the file system, or the first error found.
    pub fn read(path: &Path) -> Result<LayerFile, NetworkError> {
        if !std::fs::metadata(path)?.is_file() {
            return Err(NetworkError::NotAFile);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST {
            return Err(NetworkError::Oversized);
        }
        LayerFile::from_bytes(&bytes)
    }

    /// The layer with that name.
    #[must_use]
    pub fn layer(&self, name: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.name == name)
    }
}

fn product(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |product, &size| product.checked_mul(size))
}

fn append_number(bytes: &mut Vec<u8>, number: usize) {
    // A size beyond 2^32 could not be read back, and no network has one.
    bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

fn append_text(bytes: &mut Vec<u8>, text: &str) {
    append_number(bytes, text.len());
    bytes.extend(text.as_bytes());
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        splitmix(sum ^ u64::from_le_bytes(word))
    })
}

/// The part of the file that has not been read yet.
struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(NetworkError::Truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or(NetworkError::Truncated)?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn text(&mut self) -> Result<String, NetworkError> {
        let length = self.number()? as usize;
        let bytes = self.take(length)?;
        str::from_utf8(bytes).map(str::to_owned).map_err(|_| NetworkError::Text)
    }

    fn layer(&mut self) -> Result<Layer, NetworkError> {
        let name = self.text()?;
        let kind = self.number()?;
        let dimensions = self.number()? as usize;
        if dimensions > MAX_DIMENSIONS {
            return Err(NetworkError::LayerShape(name));
        }
        let shape = (0..dimensions).map(|_| Ok(self.number()? as usize)).collect::<Result<Vec<_>, NetworkError>>()?;
        let data = match (kind, product(&shape)) {
            (_, None) => return Err(NetworkError::LayerShape(name)),
            (1, Some(length)) => Data::I16(self.numbers(length, i16::from_le_bytes)?),
            (2, Some(length)) => Data::I32(self.numbers(length, i32::from_le_bytes)?),
            (3, Some(length)) => Data::F32(self.numbers(length, f32::from_le_bytes)?),
            _ => return Err(NetworkError::LayerType(name, kind)),
        };
        Ok(Layer { name, shape, data })
    }

    fn numbers<T, const N: usize>(&mut self, length: usize, make: fn([u8; N]) -> T) -> Result<Vec<T>, NetworkError> {
        let bytes = self.take(length.checked_mul(N).ok_or(NetworkError::Truncated)?)?;
        let (chunks, _) = bytes.as_chunks();
        Ok(chunks.iter().map(|&chunk| make(chunk)).collect())
    }
}
